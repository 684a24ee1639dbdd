`timescale 1ns / 1ps
`default_nettype none

// A queue of whole frames: a frame is shown when its last word is in, so that nothing waits for the rest of it.
//
// DROP = 0: s_ready is low while there is no room. A frame longer than the queue goes on before its end, since it would
//           wait for itself otherwise.
// DROP = 1: s_ready is always high. A frame without room is left out as a whole, and dropped is high for a cycle.
// s_bad, with s_last, leaves a frame out, unless part of it has gone on. It is not counted as dropped.
module emu_frame_fifo #(
    parameter WIDTH = 8,
    parameter LOG2_DEPTH = 4,
    parameter DROP = 0
) (
    input  wire             clk,
    input  wire             resetn,
    input  wire [WIDTH-1:0] s_data,
    input  wire             s_last,
    input  wire             s_bad,
    input  wire             s_valid,
    output wire             s_ready,
    output reg  [WIDTH-1:0] m_data,
    output reg              m_last,
    output reg              m_valid,
    input  wire             m_ready,
    output reg              dropped
);
    reg [WIDTH:0] memory [0:(1 << LOG2_DEPTH) - 1];
    // One bit more than an address has, so that full and empty differ. What lies from head to whole may go out.
    reg [LOG2_DEPTH:0] head;
    reg [LOG2_DEPTH:0] whole;
    reg [LOG2_DEPTH:0] tail;
    reg                is_dropping;

    wire is_full = head[LOG2_DEPTH] != tail[LOG2_DEPTH] && head[LOG2_DEPTH-1:0] == tail[LOG2_DEPTH-1:0];
    wire has_no_room = DROP != 0 && (is_dropping || is_full);
    wire put = s_valid && s_ready && !has_no_room;
    wire take = head != whole && (!m_valid || m_ready);

    assign s_ready = DROP != 0 || !is_full;

    always @(posedge clk) begin
        if (put) memory[tail[LOG2_DEPTH-1:0]] <= {s_last, s_data};
        if (take) {m_last, m_data} <= memory[head[LOG2_DEPTH-1:0]];
    end

    always @(posedge clk) begin
        if (!resetn) begin
            head <= 0;
            whole <= 0;
            tail <= 0;
            is_dropping <= 1'b0;
            m_valid <= 1'b0;
            dropped <= 1'b0;
        end else begin
            if (take) head <= head + 1'b1;
            m_valid <= take || (m_valid && !m_ready);
            dropped <= s_valid && s_last && !s_bad && has_no_room;

            if (s_valid && has_no_room) begin
                tail <= whole;
                is_dropping <= !s_last;
            end else if (put && s_last && s_bad) begin
                tail <= whole;
            end else if (put) begin
                tail <= tail + 1'b1;
                if (s_last) whole <= tail + 1'b1;
            end else if (DROP == 0 && is_full && head == whole) begin
                whole <= tail;
            end
        end
    end
endmodule

`default_nettype wire
