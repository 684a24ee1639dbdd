`timescale 1ns / 1ps
`default_nettype none

// Counts the bytes of frames whose stream does not say them: a frame goes on when its end is in, with its length beside
// each beat. s_bad, with the last beat, leaves a frame out. The queue has room for the longest frame that can come.
module emu_frame_length #(
    parameter DATA_BITS = 256,
    parameter LOG2_DEPTH = 9
) (
    input  wire                   clk,
    input  wire                   resetn,
    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire                   s_axis_tlast,
    input  wire                   s_bad,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    output wire [DATA_BITS-1:0]   m_axis_tdata,
    output wire [DATA_BITS/8-1:0] m_axis_tkeep,
    output wire [15:0]            m_length,
    output wire                   m_axis_tlast,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready
);
    localparam KEEP_BITS = DATA_BITS / 8;

    reg  [15:0] counted;
    reg  [15:0] sum;
    integer     i;
    wire        has_room;
    wire        has_length_room;
    wire        has_beat;
    wire        has_length;
    wire        unused_dropped;
    wire        put = s_axis_tvalid && s_axis_tready;

    assign s_axis_tready = has_room && has_length_room;
    assign m_axis_tvalid = has_beat && has_length;

    always @* begin
        sum = counted;
        for (i = 0; i < KEEP_BITS; i = i + 1) sum = sum + {15'd0, s_axis_tkeep[i]};
    end

    always @(posedge clk) begin
        if (!resetn) counted <= 16'd0;
        else if (put) counted <= s_axis_tlast ? 16'd0 : sum;
    end

    emu_frame_fifo #(.WIDTH(DATA_BITS + KEEP_BITS), .LOG2_DEPTH(LOG2_DEPTH), .DROP(0)) beats (
        .clk(clk),
        .resetn(resetn),
        .s_data({s_axis_tkeep, s_axis_tdata}),
        .s_last(s_axis_tlast),
        .s_bad(s_bad),
        .s_valid(s_axis_tvalid && has_length_room),
        .s_ready(has_room),
        .m_data({m_axis_tkeep, m_axis_tdata}),
        .m_last(m_axis_tlast),
        .m_valid(has_beat),
        .m_ready(m_axis_tready && has_length),
        .dropped(unused_dropped)
    );

    emu_fifo #(.WIDTH(16), .LOG2_DEPTH(LOG2_DEPTH)) lengths (
        .clk(clk),
        .resetn(resetn),
        .s_data(sum),
        .s_valid(put && s_axis_tlast && !s_bad),
        .s_ready(has_length_room),
        .m_data(m_length),
        .m_valid(has_length),
        .m_ready(m_axis_tvalid && m_axis_tready && m_axis_tlast)
    );
endmodule

`default_nettype wire
