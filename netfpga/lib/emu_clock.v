`timescale 1ns / 1ps
`default_nettype none

// Nanoseconds, counted in a clock of any frequency and set from outside.
//
// step is the nanoseconds of a cycle, times 2^24; it may be changed at any time, to follow a better clock, and 0 stops.
// The sum is split in two halves, so that no carry is longer than 48 bits.
module emu_clock (
    input  wire        clk,
    input  wire        resetn,
    input  wire [31:0] step,
    input  wire        set_clock,
    input  wire [63:0] set_time,
    output wire [63:0] now
);
    reg [23:0] fraction;
    reg [31:0] low;
    reg [31:0] high;
    reg        carry;

    // The low half is a cycle ahead of its carry, so it is shown a cycle late.
    reg [31:0] shown_low;

    wire [56:0] sum = {1'b0, low, fraction} + {25'd0, step};

    assign now = {high, shown_low};

    always @(posedge clk) begin
        if (!resetn) begin
            {high, low, fraction, carry, shown_low} <= 0;
        end else if (set_clock) begin
            high <= set_time[63:32];
            low <= set_time[31:0];
            shown_low <= set_time[31:0];
            fraction <= 24'd0;
            carry <= 1'b0;
        end else begin
            {carry, low, fraction} <= sum;
            shown_low <= low;
            if (carry) high <= high + 1'b1;
        end
    end
endmodule

`default_nettype wire
