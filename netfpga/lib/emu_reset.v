`timescale 1ns / 1ps
`default_nettype none

// One request for a reset as resets of two clocks, each long enough for the other, and an answer when both are over.
//
// request_n is of clock a. The reset of b begins and ends by two flops of b after that of a.
module emu_reset #(
    parameter LOG2_CYCLES = 7
) (
    input  wire a_clk,
    input  wire request_n,
    output reg  a_resetn,
    output wire done,
    input  wire b_clk,
    output wire b_resetn
);
    reg [LOG2_CYCLES-1:0] left = {LOG2_CYCLES{1'b1}};
    (* ASYNC_REG = "TRUE" *) reg [1:0] b_seen = 2'b00;
    (* ASYNC_REG = "TRUE" *) reg [1:0] a_seen = 2'b00;

    assign b_resetn = b_seen[1];
    assign done = a_resetn && a_seen[1];

    initial a_resetn = 1'b0;

    always @(posedge a_clk) begin
        a_seen <= {a_seen[0], b_seen[1]};
        if (!request_n) begin
            left <= {LOG2_CYCLES{1'b1}};
            a_resetn <= 1'b0;
        end else begin
            if (left != 0) left <= left - 1'b1;
            a_resetn <= left == 0;
        end
    end

    always @(posedge b_clk) b_seen <= {b_seen[0], a_resetn};
endmodule

`default_nettype wire
