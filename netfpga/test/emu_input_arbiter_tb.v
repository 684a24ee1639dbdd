`timescale 1ns / 1ps
`default_nettype none

// Random frames on three ports, both sides held back at random: each frame comes out whole, none is lost, and those of a
// port keep their order. Some are longer than a queue.
module emu_input_arbiter_tb;
    localparam PORTS = 3, FRAMES = 200, LONGEST = 11;
    localparam SETTLE = 0.3;

    reg clk = 1'b0;
    reg resetn = 1'b0;
    always #2.0 clk = !clk;

    wire [PORTS*32-1:0] s_tdata;
    wire [PORTS*4-1:0]  s_tkeep;
    wire [PORTS*16-1:0] s_tuser;
    wire [PORTS-1:0]    s_tlast;
    wire [PORTS-1:0]    s_tvalid;
    wire [PORTS-1:0]    s_tready;
    wire [31:0]         m_tdata;
    wire [3:0]          m_tkeep;
    wire [15:0]         m_tuser;
    wire                m_tlast;
    wire                m_tvalid;
    reg                 m_tready = 0;

    emu_input_arbiter #(.PORTS(PORTS), .DATA_BITS(32), .USER_BITS(16), .LOG2_DEPTH(3)) dut (
        .clk(clk), .resetn(resetn),
        .s_axis_tdata(s_tdata), .s_axis_tkeep(s_tkeep), .s_axis_tuser(s_tuser), .s_axis_tlast(s_tlast),
        .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready),
        .m_axis_tdata(m_tdata), .m_axis_tkeep(m_tkeep), .m_axis_tuser(m_tuser), .m_axis_tlast(m_tlast),
        .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready)
    );

    // A beat says its port, frame and place; tuser says the frame's beats.
    genvar g;
    generate
        for (g = 0; g < PORTS; g = g + 1) begin : port
            integer    seed;
            integer    frame;
            integer    beat;
            integer    beats;
            reg [31:0] draw;
            reg        is_taken;
            reg [31:0] data = 0;
            reg        is_last = 0;
            reg        is_valid = 0;

            assign s_tdata[32*g +: 32] = data;
            assign s_tkeep[4*g +: 4] = data[3:0];
            assign s_tuser[16*g +: 16] = beats[15:0];
            assign s_tlast[g] = is_last;
            assign s_tvalid[g] = is_valid;

            initial begin
                seed = 100 + g;
                while (resetn !== 1'b1) @(negedge clk);
                for (frame = 0; frame < FRAMES; frame = frame + 1) begin
                    draw = $random(seed);
                    beats = 1 + draw[7:0] % LONGEST;
                    for (beat = 0; beat < beats; beat = beat + 1) begin
                        draw = $random(seed);
                        repeat (draw[1:0]) @(negedge clk);
                        data = {g[7:0], frame[15:0], beat[7:0]};
                        is_last = beat == beats - 1;
                        is_valid = 1'b1;
                        is_taken = 1'b0;
                        while (!is_taken) begin
                            #SETTLE is_taken = s_tready[g];
                            @(negedge clk);
                        end
                        is_valid = 1'b0;
                    end
                end
            end
        end
    endgenerate

    integer            sink = 3;
    integer            cycle = 0;
    integer            got = 0;
    integer            place = 0;
    reg [31:0]         draw;
    reg [7:0]          from;
    reg [PORTS*16-1:0] next = 0;

    always @(negedge clk) begin
        cycle = cycle + 1;
        if (m_tvalid && m_tready) begin
            if (place == 0) from = m_tdata[31:24];
            if (m_tdata != {from, next[16*from +: 16], place[7:0]} || m_tkeep != place[3:0]) fail;
            if (m_tlast != (place == m_tuser - 1)) fail;
            place = m_tlast ? 0 : place + 1;
            if (m_tlast) begin
                next[16*from +: 16] = next[16*from +: 16] + 1'b1;
                got = got + 1;
            end
        end
        if (got == PORTS * FRAMES) begin
            $display("PASS");
            $finish;
        end
        if (cycle == 100000) fail;
    end

    // What is ready changes at the rising edge, where a beat is taken.
    always @(posedge clk) begin
        draw = $random(sink);
        m_tready <= draw[0];
    end

    task fail;
        begin
            $display("FAIL cycle %0d: %h %b after %0d frames", cycle, m_tdata, m_tlast, got);
            $finish;
        end
    endtask

    initial begin
        repeat (4) @(negedge clk);
        resetn = 1'b1;
    end
endmodule

`default_nettype wire
