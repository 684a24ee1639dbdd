`timescale 1ns / 1ps
`default_nettype none

// A clock set by the board's registers, on top of one that runs: it goes on from what was set. The first beat without bytes
// of a stamper behind it has that time, and never one from before.
module emu_shifted_clock_tb;
    reg         clk = 1'b0;
    reg         resetn = 1'b0;
    reg  [63:0] external_time = 64'd0;
    reg  [11:0] address = 12'hF84;
    reg  [31:0] data = 0;
    reg         is_written = 1'b0;
    wire        write_ready;
    wire [63:0] set_time;
    wire        set_clock;
    wire        is_set;
    wire [63:0] now;
    wire        shows_set_time;
    wire [127:0] tuser;
    wire        tvalid;
    reg  [63:0] wanted;
    integer     beats;
    integer     seed = 11;
    integer     run;
    always #2.0 clk = !clk;
    always @(negedge clk) external_time = external_time + 64'd4;

    emu_board_registers registers (
        .clk(clk), .resetn(resetn),
        .s_awaddr(address), .s_awvalid(is_written), .s_awready(write_ready), .s_wdata(data), .s_wstrb(4'hF),
        .s_wvalid(is_written), .s_bready(1'b1), .s_araddr(12'd0), .s_arvalid(1'b0), .s_rready(1'b1),
        .m_awready(1'b0), .m_wready(1'b0), .m_bresp(2'd0), .m_bvalid(1'b0), .m_arready(1'b0), .m_rdata(32'd0),
        .m_rresp(2'd0), .m_rvalid(1'b0), .now(now), .set_clock(set_clock), .set_time(set_time), .is_set(is_set),
        .frames_stamped(32'd0), .frames_dropped(32'd0));

    emu_shifted_clock dut (
        .clk(clk), .resetn(resetn), .external_time(external_time), .set_clock(set_clock), .set_time(set_time),
        .is_set(is_set), .now(now), .shows_set_time(shows_set_time));

    emu_time_stamper #(.DATA_BITS(64), .SILENCE(4)) stamper (
        .clk(clk), .resetn(resetn), .now(now), .begin_run(shows_set_time), .s_axis_tdata(64'd0), .s_axis_tkeep(8'd0),
        .s_axis_tuser(128'd0), .s_axis_tlast(1'b0), .s_axis_tvalid(1'b0), .m_axis_tuser(tuser),
        .m_axis_tvalid(tvalid), .m_axis_tready(1'b1));

    task write(input [11:0] to, input [31:0] value);
        begin
            address = to;
            data = value;
            is_written = 1'b1;
            #1;
            while (!write_ready) @(negedge clk) #1;
            @(negedge clk);
            is_written = 1'b0;
            @(negedge clk);
        end
    endtask

    initial begin
        for (run = 0; run < 20; run = run + 1) begin
            resetn = 1'b0;
            if (run == 10) external_time = 64'd1700000000000000000;
            repeat (4) @(negedge clk);
            resetn = 1'b1;
            repeat (20) @(negedge clk) if (tvalid) begin
                $display("FAIL a beat before the clock was set");
                $finish;
            end
            wanted = {2'd0, $random(seed), 30'd0} + 64'd1000000;
            beats = 0;
            fork
                begin
                    write(12'hF84, wanted[31:0]);
                    write(12'hF88, wanted[63:32]);
                end
                while (beats < 3) @(negedge clk) if (tvalid) begin
                    beats = beats + 1;
                    if (tuser[95:32] < wanted || tuser[95:32] > wanted + 64'd200) begin
                        $display("FAIL %0d was set, and %0d is stamped", wanted, tuser[95:32]);
                        $finish;
                    end
                end
            join
        end
        $display("PASS");
        $finish;
    end
endmodule

`default_nettype wire
