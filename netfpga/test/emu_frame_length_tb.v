`timescale 1ns / 1ps
`default_nettype none

// Random frames, some of them bad, both sides held back at random: each good one comes out whole with its bytes counted,
// no bad one does.
module emu_frame_length_tb;
    localparam FRAMES = 300, LONGEST = 7;
    localparam SETTLE = 0.3;

    reg         clk = 1'b0;
    reg         resetn = 1'b0;
    always #2.0 clk = !clk;

    reg  [31:0] s_tdata = 0;
    reg  [3:0]  s_tkeep = 0;
    reg         s_tlast = 0;
    reg         s_bad = 0;
    reg         s_tvalid = 0;
    wire        s_tready;
    wire [31:0] m_tdata;
    wire [3:0]  m_tkeep;
    wire [15:0] m_length;
    wire        m_tlast;
    wire        m_tvalid;
    reg         m_tready = 0;

    emu_frame_length #(.DATA_BITS(32), .LOG2_DEPTH(4)) dut (
        .clk(clk), .resetn(resetn),
        .s_axis_tdata(s_tdata), .s_axis_tkeep(s_tkeep), .s_axis_tlast(s_tlast), .s_bad(s_bad),
        .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready),
        .m_axis_tdata(m_tdata), .m_axis_tkeep(m_tkeep), .m_length(m_length), .m_axis_tlast(m_tlast),
        .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready)
    );

    reg [15:0] lengths [0:FRAMES-1];
    reg        is_bad [0:FRAMES-1];
    integer    seed = 21;
    integer    sink = 5;
    integer    i;
    integer    beat;
    integer    beats;
    integer    good = 0;
    integer    got = 0;
    integer    place = 0;
    integer    first = 0;
    reg [31:0] draw;
    reg [31:0] hold;
    reg        is_taken;
    reg [15:0] frame;

    task fail;
        begin
            $display("FAIL at %0d ns", $time);
            $finish;
        end
    endtask

    always @(posedge clk) begin
        hold = $random(sink);
        m_tready <= hold[0];
    end

    always @(negedge clk) if (m_tvalid && m_tready) begin
        if (place == 0) frame = m_tdata[23:8];
        if (m_tdata != {8'd0, frame, place[7:0]} || is_bad[frame] || m_length != lengths[frame]) fail;
        if (frame < first || m_tlast != (4 * (place + 1) >= m_length)) fail;
        if (m_tkeep != (m_tlast && m_length[1:0] != 0 ? (4'd1 << m_length[1:0]) - 4'd1 : 4'hF)) fail;
        place = m_tlast ? 0 : place + 1;
        if (m_tlast) begin
            got = got + 1;
            first = frame + 1;
        end
    end

    initial begin
        repeat (4) @(negedge clk);
        resetn = 1'b1;
        for (i = 0; i < FRAMES; i = i + 1) begin
            draw = $random(seed);
            beats = 1 + draw[7:0] % LONGEST;
            is_bad[i] = draw[10:8] == 0;
            lengths[i] = 4 * beats - draw[12:11];
            if (!is_bad[i]) good = good + 1;
            for (beat = 0; beat < beats; beat = beat + 1) begin
                s_tdata = {8'd0, i[15:0], beat[7:0]};
                s_tlast = beat == beats - 1;
                s_tkeep = s_tlast ? 4'hF >> draw[12:11] : 4'hF;
                s_bad = s_tlast ? is_bad[i] : draw[13];
                s_tvalid = 1'b1;
                is_taken = 1'b0;
                while (!is_taken) begin
                    #SETTLE is_taken = s_tready;
                    @(negedge clk);
                end
                s_tvalid = 1'b0;
                repeat (draw[17:16]) @(negedge clk);
            end
        end
        repeat (200) @(negedge clk);
        if (got != good || good == FRAMES) fail;
        $display("PASS");
        $finish;
    end
endmodule

`default_nettype wire
