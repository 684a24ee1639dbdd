`timescale 1ns / 1ps
`default_nettype none

// The box between the bench's ports: first the MACs, then the host's functions.
module board_under_test (
    input  wire                   clk,
    input  wire                   axil_clk,
    input  wire                   resetn,
    output wire                   is_ready,
    input  wire [@PORTS@*512-1:0] s_tdata,
    input  wire [@PORTS@*64-1:0]  s_tkeep,
    input  wire [@PORTS@*128-1:0] s_tuser,
    input  wire [@PORTS@-1:0]     s_tlast,
    input  wire [@PORTS@-1:0]     s_tvalid,
    output wire [@PORTS@-1:0]     s_tready,
    output wire [@PORTS@*512-1:0] m_tdata,
    output wire [@PORTS@*64-1:0]  m_tkeep,
    output wire [@PORTS@*128-1:0] m_tuser,
    output wire [@PORTS@-1:0]     m_tlast,
    output wire [@PORTS@-1:0]     m_tvalid,
    input  wire [@PORTS@-1:0]     m_tready,
    input  wire [31:0]            awaddr,
    input  wire                   awvalid,
    output wire                   awready,
    input  wire [31:0]            wdata,
    input  wire                   wvalid,
    output wire                   wready,
    output wire [1:0]             bresp,
    output wire                   bvalid,
    input  wire                   bready,
    input  wire [31:0]            araddr,
    input  wire                   arvalid,
    output wire                   arready,
    output wire [31:0]            rdata,
    output wire [1:0]             rresp,
    output wire                   rvalid,
    input  wire                   rready,
    output wire [31:0]            stamped,
    output wire [31:0]            queue_drops
);
    localparam PORTS = @PORTS@, HALF = PORTS / 2;

    // Frames that have gone to the service, and those that an output queue had no room for.
    assign stamped = box.datapath.frames_stamped;
    assign queue_drops = box.frames_dropped;

    wire [16*PORTS-1:0] in_size;
    wire [16*PORTS-1:0] in_source;
    wire [16*PORTS-1:0] out_size;
    wire [16*PORTS-1:0] out_source;
    wire [16*PORTS-1:0] out_target;
    wire                unused_user = &{1'b0, s_tuser};

    genvar g;
    generate
        for (g = 0; g < PORTS; g = g + 1) begin : port
            assign in_size[16*g +: 16] = s_tuser[128*g +: 16];
            assign in_source[16*g +: 16] = g < HALF ? 16'd1 << (6 + g) : 16'd1 << (g - HALF);
            assign m_tuser[128*g +: 128] =
                {80'd0, out_target[16*g +: 16], out_source[16*g +: 16], out_size[16*g +: 16]};
        end
    endgenerate

    emu_250mhz #(.NUM_INTF(HALF)) box (
        .s_axil_awaddr(awaddr),
        .s_axil_awvalid(awvalid),
        .s_axil_awready(awready),
        .s_axil_wdata(wdata),
        .s_axil_wvalid(wvalid),
        .s_axil_wready(wready),
        .s_axil_bresp(bresp),
        .s_axil_bvalid(bvalid),
        .s_axil_bready(bready),
        .s_axil_araddr(araddr),
        .s_axil_arvalid(arvalid),
        .s_axil_arready(arready),
        .s_axil_rdata(rdata),
        .s_axil_rresp(rresp),
        .s_axil_rvalid(rvalid),
        .s_axil_rready(rready),
        .s_axis_qdma_h2c_tvalid(s_tvalid[HALF +: HALF]),
        .s_axis_qdma_h2c_tdata(s_tdata[512*HALF +: 512*HALF]),
        .s_axis_qdma_h2c_tkeep(s_tkeep[64*HALF +: 64*HALF]),
        .s_axis_qdma_h2c_tlast(s_tlast[HALF +: HALF]),
        .s_axis_qdma_h2c_tuser_size(in_size[16*HALF +: 16*HALF]),
        .s_axis_qdma_h2c_tuser_src(in_source[16*HALF +: 16*HALF]),
        .s_axis_qdma_h2c_tuser_dst({16*HALF{1'b0}}),
        .s_axis_qdma_h2c_tready(s_tready[HALF +: HALF]),
        .m_axis_qdma_c2h_tvalid(m_tvalid[HALF +: HALF]),
        .m_axis_qdma_c2h_tdata(m_tdata[512*HALF +: 512*HALF]),
        .m_axis_qdma_c2h_tkeep(m_tkeep[64*HALF +: 64*HALF]),
        .m_axis_qdma_c2h_tlast(m_tlast[HALF +: HALF]),
        .m_axis_qdma_c2h_tuser_size(out_size[16*HALF +: 16*HALF]),
        .m_axis_qdma_c2h_tuser_src(out_source[16*HALF +: 16*HALF]),
        .m_axis_qdma_c2h_tuser_dst(out_target[16*HALF +: 16*HALF]),
        .m_axis_qdma_c2h_tready(m_tready[HALF +: HALF]),
        .m_axis_adap_tx_250mhz_tvalid(m_tvalid[0 +: HALF]),
        .m_axis_adap_tx_250mhz_tdata(m_tdata[0 +: 512*HALF]),
        .m_axis_adap_tx_250mhz_tkeep(m_tkeep[0 +: 64*HALF]),
        .m_axis_adap_tx_250mhz_tlast(m_tlast[0 +: HALF]),
        .m_axis_adap_tx_250mhz_tuser_size(out_size[0 +: 16*HALF]),
        .m_axis_adap_tx_250mhz_tuser_src(out_source[0 +: 16*HALF]),
        .m_axis_adap_tx_250mhz_tuser_dst(out_target[0 +: 16*HALF]),
        .m_axis_adap_tx_250mhz_tready(m_tready[0 +: HALF]),
        .s_axis_adap_rx_250mhz_tvalid(s_tvalid[0 +: HALF]),
        .s_axis_adap_rx_250mhz_tdata(s_tdata[0 +: 512*HALF]),
        .s_axis_adap_rx_250mhz_tkeep(s_tkeep[0 +: 64*HALF]),
        .s_axis_adap_rx_250mhz_tlast(s_tlast[0 +: HALF]),
        .s_axis_adap_rx_250mhz_tuser_size(in_size[0 +: 16*HALF]),
        .s_axis_adap_rx_250mhz_tuser_src(in_source[0 +: 16*HALF]),
        .s_axis_adap_rx_250mhz_tuser_dst({16*HALF{1'b0}}),
        .s_axis_adap_rx_250mhz_tready(s_tready[0 +: HALF]),
        .mod_rstn(resetn),
        .mod_rst_done(is_ready),
        .axil_aclk(axil_clk),
        .axis_aclk(clk)
    );
endmodule

`default_nettype wire
