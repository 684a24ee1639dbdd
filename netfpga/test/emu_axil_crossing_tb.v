`timescale 1ns / 1ps
`default_nettype none

// Random writes and reads through the crossing into a memory that holds back at random, compared with a model; then
// resets of either side alone in the midst of an access, after which both go on.
module emu_axil_crossing_tb;
    localparam ACCESSES = 400;
    localparam SETTLE = 0.3;

    reg s_clk = 1'b0;
    reg m_clk = 1'b0;
    reg s_resetn = 1'b0;
    reg m_resetn = 1'b0;
    always #4.0 s_clk = !s_clk;
    always #1.55 m_clk = !m_clk;

    reg  [11:0] s_awaddr = 0;
    reg         s_awvalid = 0;
    wire        s_awready;
    reg  [31:0] s_wdata = 0;
    reg         s_wvalid = 0;
    wire        s_wready;
    wire [1:0]  s_bresp;
    wire        s_bvalid;
    reg         s_bready = 0;
    reg  [11:0] s_araddr = 0;
    reg         s_arvalid = 0;
    wire        s_arready;
    wire [31:0] s_rdata;
    wire [1:0]  s_rresp;
    wire        s_rvalid;
    reg         s_rready = 0;

    wire [11:0] m_awaddr;
    wire        m_awvalid;
    reg         m_awready = 0;
    wire [31:0] m_wdata;
    wire [3:0]  m_wstrb;
    wire        m_wvalid;
    reg         m_wready = 0;
    reg         m_bvalid = 0;
    wire        m_bready;
    wire [11:0] m_araddr;
    wire        m_arvalid;
    reg         m_arready = 0;
    reg  [31:0] m_rdata = 0;
    reg         m_rvalid = 0;
    wire        m_rready;

    emu_axil_crossing #(.ADDRESS_BITS(12)) dut (
        .s_clk(s_clk), .s_resetn(s_resetn),
        .s_awaddr(s_awaddr), .s_awvalid(s_awvalid), .s_awready(s_awready),
        .s_wdata(s_wdata), .s_wstrb(4'hF), .s_wvalid(s_wvalid), .s_wready(s_wready),
        .s_bresp(s_bresp), .s_bvalid(s_bvalid), .s_bready(s_bready),
        .s_araddr(s_araddr), .s_arvalid(s_arvalid), .s_arready(s_arready),
        .s_rdata(s_rdata), .s_rresp(s_rresp), .s_rvalid(s_rvalid), .s_rready(s_rready),
        .m_clk(m_clk), .m_resetn(m_resetn),
        .m_awaddr(m_awaddr), .m_awvalid(m_awvalid), .m_awready(m_awready),
        .m_wdata(m_wdata), .m_wstrb(m_wstrb), .m_wvalid(m_wvalid), .m_wready(m_wready),
        .m_bresp(2'd0), .m_bvalid(m_bvalid), .m_bready(m_bready),
        .m_araddr(m_araddr), .m_arvalid(m_arvalid), .m_arready(m_arready),
        .m_rdata(m_rdata), .m_rresp(2'd2), .m_rvalid(m_rvalid), .m_rready(m_rready)
    );

    // The memory: address and data of a write in either order.
    reg [31:0] memory [0:63];
    reg [5:0]  write_address;
    reg [31:0] write_data;
    reg        has_address = 1'b0;
    reg        has_data = 1'b0;
    integer    seed = 5;

    always @(posedge m_clk) begin
        m_awready <= $random(seed);
        m_wready <= $random(seed);
        m_arready <= $random(seed);
        if (m_awvalid && m_awready) begin
            write_address <= m_awaddr[7:2];
            has_address <= 1'b1;
        end
        if (m_wvalid && m_wready) begin
            write_data <= m_wdata;
            has_data <= 1'b1;
        end
        if (has_address && has_data && !m_bvalid) begin
            memory[write_address] <= write_data;
            m_bvalid <= 1'b1;
            has_address <= 1'b0;
            has_data <= 1'b0;
        end
        if (m_bvalid && m_bready) m_bvalid <= 1'b0;
        if (m_arvalid && m_arready) begin
            m_rdata <= memory[m_araddr[7:2]];
            m_rvalid <= 1'b1;
        end
        if (m_rvalid && m_rready) m_rvalid <= 1'b0;
        if (!m_resetn) {has_address, has_data, m_bvalid, m_rvalid} <= 0;
        if (m_wvalid && m_wstrb != 4'hF) fail("a strobe is lost");
    end

    task fail(input [8*40-1:0] what);
        begin
            $display("FAIL %0s", what);
            $finish;
        end
    endtask

    reg [31:0] model [0:63];
    reg [31:0] draw;
    integer    i;
    integer    mine = 9;
    integer    waited;

    task write(input [5:0] index, input [31:0] value);
        reg address_taken, data_taken;
        begin
            s_awaddr = {4'd0, index, 2'd0};
            s_wdata = value;
            s_awvalid = 1'b1;
            draw = $random(mine);
            repeat (draw[1:0]) @(negedge s_clk);
            s_wvalid = 1'b1;
            while (s_awvalid || s_wvalid) begin
                #SETTLE address_taken = s_awready;
                data_taken = s_wready;
                @(negedge s_clk);
                if (address_taken) s_awvalid = 1'b0;
                if (data_taken) s_wvalid = 1'b0;
            end
            repeat (draw[4:2]) @(negedge s_clk);
            s_bready = 1'b1;
            waited = 0;
            while (!s_bvalid) begin
                @(negedge s_clk);
                waited = waited + 1;
                if (waited > 1000) fail("a write is not answered");
            end
            if (s_bresp != 2'd0) fail("a response is wrong");
            @(negedge s_clk);
            s_bready = 1'b0;
        end
    endtask

    task ask(input [5:0] index);
        reg address_taken;
        begin
            s_araddr = {4'd0, index, 2'd0};
            s_arvalid = 1'b1;
            while (s_arvalid) begin
                #SETTLE address_taken = s_arready;
                @(negedge s_clk);
                if (address_taken) s_arvalid = 1'b0;
            end
        end
    endtask

    task read(input [5:0] index, input [31:0] expected);
        begin
            ask(index);
            draw = $random(mine);
            repeat (draw[2:0]) @(negedge s_clk);
            s_rready = 1'b1;
            waited = 0;
            while (!s_rvalid) begin
                @(negedge s_clk);
                waited = waited + 1;
                if (waited > 1000) fail("a read is not answered");
            end
            if (s_rresp != 2'd2 || s_rdata != expected) fail("a word is wrong");
            @(negedge s_clk);
            s_rready = 1'b0;
        end
    endtask

    initial begin
        repeat (5) @(negedge s_clk);
        s_resetn = 1'b1;
        m_resetn = 1'b1;
        for (i = 0; i < 64; i = i + 1) begin
            model[i] = $random(mine);
            write(i[5:0], model[i]);
        end
        for (i = 0; i < ACCESSES; i = i + 1) begin
            draw = $random(mine);
            if (draw[31]) begin
                model[draw[5:0]] = draw;
                write(draw[5:0], draw);
            end else read(draw[5:0], model[draw[5:0]]);
        end
        // A reset of m while an access is on its way: it is done again.
        for (i = 0; i < 20; i = i + 1) begin
            ask({2'd0, i[3:0]});
            repeat (i) @(negedge m_clk);
            m_resetn = 1'b0;
            repeat (3) @(negedge m_clk);
            m_resetn = 1'b1;
            @(negedge s_clk);
            s_rready = 1'b1;
            waited = 0;
            while (!s_rvalid) begin
                @(negedge s_clk);
                waited = waited + 1;
                if (waited > 1000) fail("a reset of m stops s");
            end
            if (s_rdata != model[{2'd0, i[3:0]}]) fail("a word after a reset is wrong");
            @(negedge s_clk);
            s_rready = 1'b0;
        end
        // A reset of s while an access is on its way: the next one is answered with its own word.
        for (i = 0; i < 20; i = i + 1) begin
            ask({2'd0, i[3:0]});
            repeat (i) @(negedge m_clk);
            @(negedge s_clk);
            s_resetn = 1'b0;
            @(negedge s_clk);
            s_resetn = 1'b1;
            read({2'd0, ~i[3:0]}, model[{2'd0, ~i[3:0]}]);
        end
        $display("PASS");
        $finish;
    end
endmodule

`default_nettype wire
