`timescale 1ns / 1ps
`default_nettype none

// The clock over many cycles is the exact sum of its steps, across the carry of its halves; it stands still at step 0,
// and is what it was set to.
module emu_clock_tb;
    reg clk = 1'b0;
    reg resetn = 1'b0;
    always #2.0 clk = !clk;

    reg  [31:0] step = 32'd52060320; // 3.103 ns: 322.265625 MHz
    reg         set_clock = 0;
    reg  [63:0] set_time = 0;
    wire [63:0] now;
    reg  [63:0] earlier;
    reg  [87:0] sum;
    integer     i;

    emu_clock dut (.clk(clk), .resetn(resetn), .step(step), .set_clock(set_clock), .set_time(set_time), .now(now));

    task fail;
        begin
            $display("FAIL at %0d ns: %h", $time, now);
            $finish;
        end
    endtask

    initial begin
        repeat (4) @(negedge clk);
        resetn = 1'b1;
        set_time = 64'h0123_4567_FFFF_E000;
        set_clock = 1'b1;
        @(negedge clk);
        set_clock = 1'b0;
        if (now != set_time) fail;
        // The low half is shown a cycle late.
        sum = {set_time, 24'd0};
        earlier = now;
        @(negedge clk);
        for (i = 0; i < 20000; i = i + 1) begin
            sum = sum + step;
            earlier = now;
            @(negedge clk);
            if (now < earlier || now != sum[87:24]) fail;
        end
        if (now[63:32] != 32'h0123_4568) fail;
        step = 32'd0;
        repeat (3) @(negedge clk);
        earlier = now;
        repeat (20) @(negedge clk);
        if (now != earlier) fail;
        $display("PASS");
        $finish;
    end
endmodule

`default_nettype wire
