`timescale 1ns / 1ps
`default_nettype none

// A queue of whole frames before each port; a frame goes to all ports whose bits its first beat has in PORT_MASK's place.
//
// The stream never waits: a queue without room leaves the frame out, and dropped counts it. Of tuser[31:24], ports 0 to 3
// are the even bits, as MAC ports are, and those behind them the odd ones; of tuser the low 32 bits are kept.
module emu_output_queues #(
    parameter PORTS = 4,
    parameter DATA_BITS = 256,
    parameter LOG2_DEPTH = 9
) (
    input  wire                         clk,
    input  wire                         resetn,

    input  wire [DATA_BITS-1:0]         s_axis_tdata,
    input  wire [DATA_BITS/8-1:0]       s_axis_tkeep,
    input  wire [31:0]                  s_axis_tuser,
    input  wire                         s_axis_tlast,
    input  wire                         s_axis_tvalid,
    output wire                         s_axis_tready,

    output wire [PORTS*DATA_BITS-1:0]   m_axis_tdata,
    output wire [PORTS*DATA_BITS/8-1:0] m_axis_tkeep,
    output wire [PORTS*32-1:0]          m_axis_tuser,
    output wire [PORTS-1:0]             m_axis_tlast,
    output wire [PORTS-1:0]             m_axis_tvalid,
    input  wire [PORTS-1:0]             m_axis_tready,

    output reg  [31:0]                  dropped
);
    localparam KEEP_BITS = DATA_BITS / 8;
    localparam WIDTH = DATA_BITS + KEEP_BITS + 32;

    reg         is_inside;
    reg  [31:0] first_user;
    wire [31:0] user = is_inside ? first_user : s_axis_tuser;
    wire        unused_odd = &{1'b0, user};

    assign s_axis_tready = 1'b1;

    always @(posedge clk) begin
        if (s_axis_tvalid && !is_inside) first_user <= s_axis_tuser;
        if (!resetn) is_inside <= 1'b0;
        else if (s_axis_tvalid) is_inside <= !s_axis_tlast;
    end

    wire [PORTS-1:0] drops;
    genvar g;
    generate
        for (g = 0; g < PORTS; g = g + 1) begin : port
            localparam PORT_BIT = g < 4 ? 2 * g : 2 * (g - 4) + 1;
            wire unused_ready;
            emu_frame_fifo #(.WIDTH(WIDTH), .LOG2_DEPTH(LOG2_DEPTH), .DROP(1)) queue (
                .clk(clk),
                .resetn(resetn),
                .s_data({user, s_axis_tkeep, s_axis_tdata}),
                .s_last(s_axis_tlast),
                .s_bad(1'b0),
                .s_valid(s_axis_tvalid && user[24 + PORT_BIT]),
                .s_ready(unused_ready),
                .m_data({m_axis_tuser[g*32 +: 32], m_axis_tkeep[g*KEEP_BITS +: KEEP_BITS],
                    m_axis_tdata[g*DATA_BITS +: DATA_BITS]}),
                .m_last(m_axis_tlast[g]),
                .m_valid(m_axis_tvalid[g]),
                .m_ready(m_axis_tready[g]),
                .dropped(drops[g])
            );
        end
    endgenerate

    integer    i;
    reg [31:0] sum;

    always @* begin
        sum = dropped;
        for (i = 0; i < PORTS; i = i + 1) sum = sum + {31'd0, drops[i]};
    end

    always @(posedge clk) begin
        if (!resetn) dropped <= 32'd0;
        else dropped <= sum;
    end
endmodule

`default_nettype wire
