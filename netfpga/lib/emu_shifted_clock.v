`timescale 1ns / 1ps
`default_nettype none

// A clock from outside, and what the host sets on top of it. The time is seen two cycles late.
//
// is_set of the board's registers is up a cycle after set_clock; shows_set_time is up when now shows the time that was set,
// so that no run begins with the time before that.
module emu_shifted_clock (
    input  wire        clk,
    input  wire        resetn,
    input  wire [63:0] external_time,
    input  wire        set_clock,
    input  wire [63:0] set_time,
    input  wire        is_set,
    output reg  [63:0] now,
    output reg         shows_set_time
);
    reg [63:0] offset;

    always @(posedge clk) begin
        now <= external_time + offset;
        if (!resetn) begin
            offset <= 64'd0;
            shows_set_time <= 1'b0;
        end else begin
            if (set_clock) offset <= set_time - external_time;
            shows_set_time <= is_set;
        end
    end
endmodule

`default_nettype wire
