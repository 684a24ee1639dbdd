`timescale 1ns / 1ps
`default_nettype none

// Nanoseconds of a PTP time of day (IEEE 1588: seconds and nanoseconds).
//
// A second more adds 10^9. Any other change, as after a step, is multiplied out bit by bit in 48 cycles, and is seen
// when that is done; until then the time stands still.
module emu_ptp_time (
    input  wire        clk,
    input  wire        resetn,
    input  wire [47:0] seconds,
    input  wire [29:0] nanoseconds,
    output reg  [63:0] now
);
    localparam [63:0] SECOND = 64'd1000000000;

    reg [47:0] base_seconds;
    reg [63:0] base;
    reg [47:0] left;
    reg [63:0] addend;
    reg [63:0] product;
    reg [47:0] wanted;
    reg        is_busy;

    always @(posedge clk) begin
        if (!resetn) now <= 64'd0;
        else if (seconds == base_seconds) now <= base + {34'd0, nanoseconds};
        if (!resetn) begin
            base_seconds <= 48'd0;
            base <= 64'd0;
            is_busy <= 1'b0;
        end else if (is_busy) begin
            if (left == 48'd0) begin
                base <= product;
                base_seconds <= wanted;
                is_busy <= 1'b0;
            end
            if (left[0]) product <= product + addend;
            addend <= addend << 1;
            left <= left >> 1;
        end else if (seconds == base_seconds + 1'b1) begin
            base <= base + SECOND;
            base_seconds <= seconds;
        end else if (seconds != base_seconds) begin
            is_busy <= 1'b1;
            left <= seconds;
            wanted <= seconds;
            addend <= SECOND;
            product <= 64'd0;
        end
    end
endmodule

`default_nettype wire
