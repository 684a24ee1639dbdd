`timescale 1ns / 1ps
`default_nettype none

// Several streams of frames as one, a whole frame at a time, the streams in turn.
//
// Each stream has a queue of whole frames, so that a slow one holds up no other. Port i has the i-th part of each vector.
module emu_input_arbiter #(
    parameter PORTS = 4,
    parameter DATA_BITS = 256,
    parameter USER_BITS = 128,
    parameter LOG2_DEPTH = 9
) (
    input  wire                         clk,
    input  wire                         resetn,

    input  wire [PORTS*DATA_BITS-1:0]   s_axis_tdata,
    input  wire [PORTS*DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire [PORTS*USER_BITS-1:0]   s_axis_tuser,
    input  wire [PORTS-1:0]             s_axis_tlast,
    input  wire [PORTS-1:0]             s_axis_tvalid,
    output wire [PORTS-1:0]             s_axis_tready,

    output reg  [DATA_BITS-1:0]         m_axis_tdata,
    output reg  [DATA_BITS/8-1:0]       m_axis_tkeep,
    output reg  [USER_BITS-1:0]         m_axis_tuser,
    output reg                          m_axis_tlast,
    output reg                          m_axis_tvalid,
    input  wire                         m_axis_tready
);
    localparam KEEP_BITS = DATA_BITS / 8;
    localparam WIDTH = DATA_BITS + KEEP_BITS + USER_BITS;
    localparam PORT_BITS = PORTS > 1 ? $clog2(PORTS) : 1;

    wire [PORTS*WIDTH-1:0] head;
    wire [PORTS-1:0]       head_last;
    wire [PORTS-1:0]       head_valid;
    reg  [PORTS-1:0]       head_ready;

    genvar g;
    generate
        for (g = 0; g < PORTS; g = g + 1) begin : port
            wire unused_dropped;
            emu_frame_fifo #(.WIDTH(WIDTH), .LOG2_DEPTH(LOG2_DEPTH), .DROP(0)) queue (
                .clk(clk),
                .resetn(resetn),
                .s_data({s_axis_tuser[g*USER_BITS +: USER_BITS], s_axis_tkeep[g*KEEP_BITS +: KEEP_BITS],
                    s_axis_tdata[g*DATA_BITS +: DATA_BITS]}),
                .s_last(s_axis_tlast[g]),
                .s_bad(1'b0),
                .s_valid(s_axis_tvalid[g]),
                .s_ready(s_axis_tready[g]),
                .m_data(head[g*WIDTH +: WIDTH]),
                .m_last(head_last[g]),
                .m_valid(head_valid[g]),
                .m_ready(head_ready[g]),
                .dropped(unused_dropped)
            );
        end
    endgenerate

    // Between two frames the next port after the last one that has a frame; inside a frame the same port.
    reg                 is_inside;
    reg [PORT_BITS-1:0] last_port;
    reg [PORT_BITS-1:0] next_port;
    integer             i;

    always @* begin
        next_port = last_port;
        if (!is_inside) begin
            for (i = PORTS - 1; i >= 0; i = i - 1)
                if (head_valid[i]) next_port = i[PORT_BITS-1:0];
            for (i = PORTS - 1; i >= 0; i = i - 1)
                if (head_valid[i] && i[PORT_BITS-1:0] > last_port) next_port = i[PORT_BITS-1:0];
        end
    end

    reg [WIDTH-1:0] chosen;
    reg             chosen_last;
    reg             chosen_valid;
    wire            is_free = !m_axis_tvalid || m_axis_tready;

    always @* begin
        chosen = head[0 +: WIDTH];
        chosen_last = head_last[0];
        chosen_valid = head_valid[0];
        head_ready = 0;
        for (i = 0; i < PORTS; i = i + 1) begin
            if (i[PORT_BITS-1:0] == next_port) begin
                chosen = head[i*WIDTH +: WIDTH];
                chosen_last = head_last[i];
                chosen_valid = head_valid[i];
                head_ready[i] = is_free;
            end
        end
    end

    always @(posedge clk) begin
        if (is_free) begin
            {m_axis_tuser, m_axis_tkeep, m_axis_tdata} <= chosen;
            m_axis_tlast <= chosen_last;
        end
        if (!resetn) begin
            is_inside <= 1'b0;
            last_port <= 0;
            m_axis_tvalid <= 1'b0;
        end else if (is_free) begin
            m_axis_tvalid <= chosen_valid;
            if (chosen_valid) begin
                is_inside <= !chosen_last;
                last_port <= next_port;
            end
        end
    end
endmodule

`default_nettype wire
