`timescale 1ns / 1ps
`default_nettype none

// A clock that goes forth, back and stands still, frames at random, a sink that holds back: stamps never go back, all
// beats of a frame have the first one's, what is not the time passes, and beats without bytes come between frames only,
// none before the run has begun, at least one in each long silence.
module emu_time_stamper_tb;
    localparam SILENCE = 8, FRAMES = 300;
    localparam SETTLE = 0.3;

    reg clk = 1'b0;
    reg resetn = 1'b0;
    always #2.0 clk = !clk;

    reg  [63:0]  now = 64'd10000000;
    reg          begin_run = 0;
    wire [31:0]  frames;
    reg  [63:0]  s_tdata = 0;
    reg  [127:0] s_tuser = 0;
    reg          s_tlast = 0;
    reg          s_tvalid = 0;
    wire         s_tready;
    wire [63:0]  m_tdata;
    wire [7:0]   m_tkeep;
    wire [127:0] m_tuser;
    wire         m_tlast;
    wire         m_tvalid;
    reg          m_tready = 1;

    emu_time_stamper #(.DATA_BITS(64), .SILENCE(SILENCE)) dut (
        .clk(clk), .resetn(resetn), .now(now), .begin_run(begin_run), .frames(frames),
        .s_axis_tdata(s_tdata), .s_axis_tkeep(8'hFF), .s_axis_tuser(s_tuser), .s_axis_tlast(s_tlast),
        .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready),
        .m_axis_tdata(m_tdata), .m_axis_tkeep(m_tkeep), .m_axis_tuser(m_tuser), .m_axis_tlast(m_tlast),
        .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready)
    );

    integer    seed = 7;
    integer    sink = 9;
    integer    i;
    integer    beat;
    integer    beats;
    integer    empty = 0;
    integer    got = 0;
    integer    empty_before;
    reg [31:0] draw;
    reg [31:0] clock_draw;
    reg [63:0] last = 0;
    reg [63:0] highest = 64'd10000000;
    reg        is_inside = 0;
    reg        holds = 0;
    reg        is_taken;

    task fail;
        begin
            $display("FAIL at %0d ns", $time);
            $finish;
        end
    endtask

    always @(posedge clk) begin
        clock_draw = $random(sink);
        m_tready <= !holds || clock_draw[0];
        // Mostly forth, at times far back.
        now <= clock_draw[15:8] == 0 ? now - {48'd0, clock_draw[31:16]} : now + {61'd0, clock_draw[4:2]};
        if (now > highest) highest <= now;
    end

    always @(negedge clk) if (m_tvalid && m_tready) begin
        if (m_tkeep == 0) begin
            empty = empty + 1;
            if (is_inside || !m_tlast || m_tuser[31:0] != 0) fail;
        end else begin
            if (m_tuser[31:0] != 32'h5A5A0000 + got || m_tuser[127:96] != 32'hC0FFEE00) fail;
            if (is_inside && m_tuser[95:32] != last) fail;
            is_inside = !m_tlast;
            if (m_tlast) got = got + 1;
        end
        if (m_tuser[95:32] < last || m_tuser[95:32] > highest) fail;
        last = m_tuser[95:32];
    end

    initial begin
        repeat (4) @(negedge clk);
        resetn = 1'b1;
        repeat (5 * SILENCE) @(negedge clk);
        if (empty != 0) fail;
        for (i = 0; i < FRAMES; i = i + 1) begin
            draw = $random(seed);
            holds = i > FRAMES / 2;
            beats = 1 + draw[1:0];
            for (beat = 0; beat < beats; beat = beat + 1) begin
                s_tdata = {i, beat};
                s_tuser = {32'hC0FFEE00, 64'hDEADBEEFDEADBEEF, 32'h5A5A0000 + i};
                s_tlast = beat == beats - 1;
                s_tvalid = 1'b1;
                is_taken = 1'b0;
                while (!is_taken) begin
                    #SETTLE is_taken = s_tready;
                    @(negedge clk);
                end
                s_tvalid = 1'b0;
                repeat (draw[4 + beat]) @(negedge clk);
            end
            empty_before = empty;
            if (draw[12:10] == 0) begin
                repeat (6 * SILENCE) @(negedge clk);
                if (empty == empty_before) fail;
            end
        end
        repeat (100) @(negedge clk);
        if (got != FRAMES || frames != FRAMES) fail;
        // After a reset a run begins by begin_run, without a frame.
        resetn = 1'b0;
        repeat (2) @(negedge clk);
        last = 0;
        resetn = 1'b1;
        empty = 0;
        repeat (4 * SILENCE) @(negedge clk);
        if (empty != 0) fail;
        begin_run = 1'b1;
        repeat (8 * SILENCE) @(negedge clk);
        if (empty == 0) fail;
        $display("PASS");
        $finish;
    end
endmodule

`default_nettype wire
