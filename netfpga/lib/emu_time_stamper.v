`timescale 1ns / 1ps
`default_nettype none

// Puts the time of arrival into tuser[95:32] of each frame's first beat, and sends beats without bytes while the line is
// silent, so that what is due by time alone is done.
//
// - The time that is stamped never goes back, whatever now does: while now is behind it, it stands still. Before the first
//   beat nothing is stamped, so now may be set back.
// - The first beat begins a run. No beat without bytes is sent before the first frame, or before begin is up: so the
//   clock can be set before the run begins. SILENCE is the cycles from one such beat to the next; 0 sends none.
// - A beat without bytes is sent between two frames only, in a cycle in which no frame waits.
module emu_time_stamper #(
    parameter DATA_BITS = 256,
    parameter SILENCE = 64
) (
    input  wire                   clk,
    input  wire                   resetn,
    input  wire [63:0]            now,
    input  wire                   begin_run,
    output reg  [31:0]            frames,

    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire [127:0]           s_axis_tuser,
    input  wire                   s_axis_tlast,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,

    output reg  [DATA_BITS-1:0]   m_axis_tdata,
    output reg  [DATA_BITS/8-1:0] m_axis_tkeep,
    output reg  [127:0]           m_axis_tuser,
    output reg                    m_axis_tlast,
    output reg                    m_axis_tvalid,
    input  wire                   m_axis_tready
);
    localparam COUNT_BITS = 16;
    localparam [COUNT_BITS-1:0] LAST = SILENCE > 0 ? SILENCE[COUNT_BITS-1:0] - 1'b1 : {COUNT_BITS{1'b0}};

    reg [63:0]           monotone;
    reg [63:0]           frame_time;
    reg                  is_inside;
    reg                  has_begun;
    reg [COUNT_BITS-1:0] silence;

    wire is_free = !m_axis_tvalid || m_axis_tready;
    wire is_due = SILENCE > 0 && has_begun && !is_inside && !s_axis_tvalid && silence == LAST;
    wire unused_time = &{1'b0, s_axis_tuser[95:32]};

    assign s_axis_tready = is_free;

    always @(posedge clk) begin
        if (is_free && s_axis_tvalid && !is_inside) frame_time <= monotone;
        if (is_free) begin
            m_axis_tdata <= s_axis_tdata;
            m_axis_tkeep <= s_axis_tvalid ? s_axis_tkeep : {DATA_BITS/8{1'b0}};
            m_axis_tlast <= s_axis_tvalid ? s_axis_tlast : 1'b1;
            m_axis_tuser <= s_axis_tvalid
                ? {s_axis_tuser[127:96], is_inside ? frame_time : monotone, s_axis_tuser[31:0]}
                : {32'd0, monotone, 32'd0};
        end
        if (!resetn) begin
            monotone <= 64'd0;
            is_inside <= 1'b0;
            has_begun <= 1'b0;
            silence <= 0;
            frames <= 32'd0;
            m_axis_tvalid <= 1'b0;
        end else begin
            if (now > monotone || !has_begun && !s_axis_tvalid) monotone <= now;
            if (begin_run || s_axis_tvalid) has_begun <= 1'b1;
            if (s_axis_tvalid || is_due && is_free) silence <= 0;
            else if (silence != LAST) silence <= silence + 1'b1;
            if (s_axis_tvalid && is_free) begin
                is_inside <= !s_axis_tlast;
                if (!is_inside) frames <= frames + 1'b1;
            end
            if (is_free) m_axis_tvalid <= s_axis_tvalid || is_due;
        end
    end
endmodule

`default_nettype wire
