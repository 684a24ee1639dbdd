`timescale 1ns / 1ps
`default_nettype none

// Random frames to random sets of six ports, one of them much slower than the frames come: what leaves a port is
// whole, in order, and for it; and each copy has left or was counted as dropped. The fast ports drop none.
module emu_output_queues_tb;
    localparam PORTS = 6, FRAMES = 400, LONGEST = 6, SLOW = 2;

    reg clk = 1'b0;
    reg resetn = 1'b0;
    always #2.0 clk = !clk;

    reg  [31:0]         s_tdata = 0;
    reg  [31:0]         s_tuser = 0;
    reg                 s_tlast = 0;
    reg                 s_tvalid = 0;
    wire                s_tready;
    wire [PORTS*32-1:0] m_tdata;
    wire [PORTS*4-1:0]  m_tkeep;
    wire [PORTS*32-1:0] m_tuser;
    wire [PORTS-1:0]    m_tlast;
    wire [PORTS-1:0]    m_tvalid;
    reg  [PORTS-1:0]    m_tready = 0;
    wire [31:0]         dropped;

    emu_output_queues #(.PORTS(PORTS), .DATA_BITS(32), .LOG2_DEPTH(5)) dut (
        .clk(clk), .resetn(resetn),
        .s_axis_tdata(s_tdata), .s_axis_tkeep(4'hF), .s_axis_tuser(s_tuser), .s_axis_tlast(s_tlast),
        .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready),
        .m_axis_tdata(m_tdata), .m_axis_tkeep(m_tkeep), .m_axis_tuser(m_tuser), .m_axis_tlast(m_tlast),
        .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready),
        .dropped(dropped)
    );

    integer         sink = 3;
    reg [31:0]      holds;
    integer         copies = 0;
    integer         left = 0;
    integer         to_slow = 0;
    integer         left_slow = 0;
    reg [PORTS-1:0] goes_to [0:FRAMES-1];

    always @(posedge clk) begin
        holds = $random(sink);
        m_tready <= {holds[14:13] != 0, holds[12:11] != 0, holds[10:9] != 0, &holds[4:0], holds[6:5] != 0, holds[8:7] != 0};
    end

    task fail;
        begin
            $display("FAIL at %0d ns", $time);
            $finish;
        end
    endtask

    genvar g;
    generate
        for (g = 0; g < PORTS; g = g + 1) begin : port
            integer    place = 0;
            reg [15:0] frame;
            integer    first = 0;

            always @(negedge clk) if (m_tvalid[g] && m_tready[g]) begin
                if (place == 0) frame = m_tdata[32*g + 8 +: 16];
                if (m_tdata[32*g +: 32] != {8'd0, frame, place[7:0]} || !goes_to[frame][g]) fail;
                if (m_tkeep[4*g +: 4] != 4'hF || m_tuser[32*g +: 16] != frame) fail;
                if (m_tlast[g]) begin
                    if (frame < first) fail;
                    first = frame + 1;
                    left = left + 1;
                    if (g == SLOW) left_slow = left_slow + 1;
                    place = 0;
                end else place = place + 1;
            end
        end
    endgenerate

    integer    seed = 17;
    integer    i;
    integer    beat;
    integer    beats;
    integer    p;
    reg [31:0] draw;

    initial begin
        repeat (4) @(negedge clk);
        resetn = 1'b1;
        for (i = 0; i < FRAMES; i = i + 1) begin
            draw = $random(seed);
            beats = 1 + draw[7:0] % LONGEST;
            goes_to[i] = draw[8 +: PORTS];
            for (p = 0; p < PORTS; p = p + 1) copies = copies + draw[8 + p];
            to_slow = to_slow + draw[8 + SLOW];
            for (beat = 0; beat < beats; beat = beat + 1) begin
                s_tdata = {8'd0, i[15:0], beat[7:0]};
                // Beats behind the first have junk in tuser.
                s_tuser = beat != 0 ? $random(seed)
                    : {1'b0, draw[11], 1'b0, draw[10], draw[13], draw[9], draw[12], draw[8], 8'h01, i[15:0]};
                s_tlast = beat == beats - 1;
                s_tvalid = 1'b1;
                if (!s_tready) fail;
                @(negedge clk);
                s_tvalid = 1'b0;
                repeat (draw[17:16]) @(negedge clk);
            end
        end
        repeat (40 * 40) @(negedge clk);
        if (left + dropped != copies || to_slow - left_slow != dropped || dropped == 0) fail;
        $display("PASS");
        $finish;
    end
endmodule

`default_nettype wire
