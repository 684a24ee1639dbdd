`timescale 1ns / 1ps
`default_nettype none

// A time of day that runs over the ends of seconds, and steps forth and back: after each step and 60 cycles, and at all
// times but then, nanoseconds since the epoch are right. The cycle at which a second ends shows the time before it.
module emu_ptp_time_tb;
    reg         clk = 1'b0;
    reg         resetn = 1'b0;
    reg  [47:0] seconds = 48'd0;
    reg  [29:0] nanoseconds = 30'd0;
    wire [63:0] now;
    reg  [63:0] expected;
    reg  [63:0] shown;
    reg  [31:0] draw;
    integer     seed = 4;
    integer     step;
    integer     i;
    always #2.0 clk = !clk;

    emu_ptp_time dut (.clk(clk), .resetn(resetn), .seconds(seconds), .nanoseconds(nanoseconds), .now(now));

    initial begin
        repeat (3) @(negedge clk);
        resetn = 1'b1;
        for (step = 0; step < 40; step = step + 1) begin
            draw = $random(seed);
            seconds = step[0] ? {16'd0, draw} : 48'd1700000000 + {32'd0, draw[15:0]};
            nanoseconds = 30'd999999000;
            repeat (60) @(negedge clk);
            for (i = 0; i < 400; i = i + 1) begin
                if (nanoseconds + 5 >= 1000000000) begin
                    nanoseconds = nanoseconds + 5 - 1000000000;
                    seconds = seconds + 1'b1;
                end else nanoseconds = nanoseconds + 5;
                // A second is seen a cycle after its nanoseconds.
                expected = seconds * 64'd1000000000 + nanoseconds;
                shown = now;
                @(negedge clk);
                if (now != (nanoseconds >= 5 ? expected : shown)) begin
                    $display("FAIL %0d.%0d is %0d", seconds, nanoseconds, now);
                    $finish;
                end
            end
        end
        $display("PASS");
        $finish;
    end
endmodule

`default_nettype wire
