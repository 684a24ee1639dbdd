`timescale 1ns / 1ps
`default_nettype none

// A queue of words in one clock domain, the oldest word shown before it is taken.
//
// Its memory is read a cycle before the word is shown, as block RAM wants it. m_valid and m_data come from flops.
module emu_fifo #(
    parameter WIDTH = 8,
    parameter LOG2_DEPTH = 4
) (
    input  wire             clk,
    input  wire             resetn,
    input  wire [WIDTH-1:0] s_data,
    input  wire             s_valid,
    output wire             s_ready,
    output reg  [WIDTH-1:0] m_data,
    output reg              m_valid,
    input  wire             m_ready
);
    reg [WIDTH-1:0] memory [0:(1 << LOG2_DEPTH) - 1];
    // One bit more than an address has, so that full and empty differ.
    reg [LOG2_DEPTH:0] head;
    reg [LOG2_DEPTH:0] tail;

    wire is_full = head[LOG2_DEPTH] != tail[LOG2_DEPTH] && head[LOG2_DEPTH-1:0] == tail[LOG2_DEPTH-1:0];
    wire take = head != tail && (!m_valid || m_ready);
    wire put = s_valid && s_ready;

    assign s_ready = !is_full;

    always @(posedge clk) begin
        if (put) memory[tail[LOG2_DEPTH-1:0]] <= s_data;
        if (take) m_data <= memory[head[LOG2_DEPTH-1:0]];
    end

    always @(posedge clk) begin
        if (!resetn) begin
            head <= 0;
            tail <= 0;
            m_valid <= 1'b0;
        end else begin
            if (put) tail <= tail + 1'b1;
            if (take) head <= head + 1'b1;
            m_valid <= take || (m_valid && !m_ready);
        end
    end
endmodule

`default_nettype wire
