`timescale 1ns / 1ps
`default_nettype none

// @SERVICE@ in the 250 MHz box of an OpenNIC shell.
//
// Ports of the service: 0 to NUM_INTF - 1 are the MAC ports, NUM_INTF to 2 NUM_INTF - 1 the host's functions.
// tuser_src and tuser_dst of the shell: bits 15:6 are MAC ports, 3:0 the host's functions, one-hot.
module emu_250mhz #(
    parameter NUM_INTF = @INTERFACES@
) (
    input  wire [31:0]             s_axil_awaddr,
    input  wire                    s_axil_awvalid,
    output wire                    s_axil_awready,
    input  wire [31:0]             s_axil_wdata,
    input  wire                    s_axil_wvalid,
    output wire                    s_axil_wready,
    output wire [1:0]              s_axil_bresp,
    output wire                    s_axil_bvalid,
    input  wire                    s_axil_bready,
    input  wire [31:0]             s_axil_araddr,
    input  wire                    s_axil_arvalid,
    output wire                    s_axil_arready,
    output wire [31:0]             s_axil_rdata,
    output wire [1:0]              s_axil_rresp,
    output wire                    s_axil_rvalid,
    input  wire                    s_axil_rready,

    input  wire [NUM_INTF-1:0]     s_axis_qdma_h2c_tvalid,
    input  wire [512*NUM_INTF-1:0] s_axis_qdma_h2c_tdata,
    input  wire [64*NUM_INTF-1:0]  s_axis_qdma_h2c_tkeep,
    input  wire [NUM_INTF-1:0]     s_axis_qdma_h2c_tlast,
    input  wire [16*NUM_INTF-1:0]  s_axis_qdma_h2c_tuser_size,
    input  wire [16*NUM_INTF-1:0]  s_axis_qdma_h2c_tuser_src,
    input  wire [16*NUM_INTF-1:0]  s_axis_qdma_h2c_tuser_dst,
    output wire [NUM_INTF-1:0]     s_axis_qdma_h2c_tready,

    output wire [NUM_INTF-1:0]     m_axis_qdma_c2h_tvalid,
    output wire [512*NUM_INTF-1:0] m_axis_qdma_c2h_tdata,
    output wire [64*NUM_INTF-1:0]  m_axis_qdma_c2h_tkeep,
    output wire [NUM_INTF-1:0]     m_axis_qdma_c2h_tlast,
    output wire [16*NUM_INTF-1:0]  m_axis_qdma_c2h_tuser_size,
    output wire [16*NUM_INTF-1:0]  m_axis_qdma_c2h_tuser_src,
    output wire [16*NUM_INTF-1:0]  m_axis_qdma_c2h_tuser_dst,
    input  wire [NUM_INTF-1:0]     m_axis_qdma_c2h_tready,

    output wire [NUM_INTF-1:0]     m_axis_adap_tx_250mhz_tvalid,
    output wire [512*NUM_INTF-1:0] m_axis_adap_tx_250mhz_tdata,
    output wire [64*NUM_INTF-1:0]  m_axis_adap_tx_250mhz_tkeep,
    output wire [NUM_INTF-1:0]     m_axis_adap_tx_250mhz_tlast,
    output wire [16*NUM_INTF-1:0]  m_axis_adap_tx_250mhz_tuser_size,
    output wire [16*NUM_INTF-1:0]  m_axis_adap_tx_250mhz_tuser_src,
    output wire [16*NUM_INTF-1:0]  m_axis_adap_tx_250mhz_tuser_dst,
    input  wire [NUM_INTF-1:0]     m_axis_adap_tx_250mhz_tready,

    input  wire [NUM_INTF-1:0]     s_axis_adap_rx_250mhz_tvalid,
    input  wire [512*NUM_INTF-1:0] s_axis_adap_rx_250mhz_tdata,
    input  wire [64*NUM_INTF-1:0]  s_axis_adap_rx_250mhz_tkeep,
    input  wire [NUM_INTF-1:0]     s_axis_adap_rx_250mhz_tlast,
    input  wire [16*NUM_INTF-1:0]  s_axis_adap_rx_250mhz_tuser_size,
    input  wire [16*NUM_INTF-1:0]  s_axis_adap_rx_250mhz_tuser_src,
    input  wire [16*NUM_INTF-1:0]  s_axis_adap_rx_250mhz_tuser_dst,
    output wire [NUM_INTF-1:0]     s_axis_adap_rx_250mhz_tready,

    input  wire                    mod_rstn,
    output wire                    mod_rst_done,
    input  wire                    axil_aclk,
    input  wire                    axis_aclk
);
    localparam PORTS = 2 * NUM_INTF;

    wire axil_resetn;
    wire axis_resetn;

    emu_reset reset (
        .a_clk(axil_aclk),
        .request_n(mod_rstn),
        .a_resetn(axil_resetn),
        .done(mod_rst_done),
        .b_clk(axis_aclk),
        .b_resetn(axis_resetn)
    );

    wire [PORTS*32-1:0] in_tuser;
    wire [PORTS*32-1:0] out_tuser;
    wire [PORTS-1:0]    out_tvalid;
    wire [63:0]         unused_now;

    assign {m_axis_qdma_c2h_tvalid, m_axis_adap_tx_250mhz_tvalid} = out_tvalid;

    genvar g;
    generate
        for (g = 0; g < NUM_INTF; g = g + 1) begin : port
            assign in_tuser[32*g +: 32] = {8'd0, 8'd1 << (2 * g), s_axis_adap_rx_250mhz_tuser_size[16*g +: 16]};
            assign in_tuser[32*(NUM_INTF+g) +: 32] =
                {8'd0, 8'd1 << (2 * (NUM_INTF + g)), s_axis_qdma_h2c_tuser_size[16*g +: 16]};

            assign m_axis_adap_tx_250mhz_tuser_size[16*g +: 16] = out_tuser[32*g +: 16];
            assign m_axis_adap_tx_250mhz_tuser_src[16*g +: 16] = source(out_tuser[32*g + 16 +: 8]);
            assign m_axis_adap_tx_250mhz_tuser_dst[16*g +: 16] = 16'd1 << (6 + g);

            assign m_axis_qdma_c2h_tuser_size[16*g +: 16] = out_tuser[32*(NUM_INTF+g) +: 16];
            assign m_axis_qdma_c2h_tuser_src[16*g +: 16] = source(out_tuser[32*(NUM_INTF+g) + 16 +: 8]);
            assign m_axis_qdma_c2h_tuser_dst[16*g +: 16] = 16'd1 << g;
        end
    endgenerate

    // A source port in the shell's numbers.
    function [15:0] source(input [7:0] bits);
        integer i;
        begin
            source = 16'd0;
            for (i = 0; i < NUM_INTF; i = i + 1) begin
                source[6 + i] = bits[2 * i];
                source[i] = bits[2 * (NUM_INTF + i)];
            end
        end
    endfunction

    wire [511:0] merged_tdata;
    wire [63:0]  merged_tkeep;
    wire [31:0]  merged_tuser;
    wire         merged_tlast;
    wire         merged_tvalid;
    wire         merged_tready;
    wire [511:0] queued_tdata;
    wire [63:0]  queued_tkeep;
    wire [127:0] queued_tuser;
    wire         queued_tlast;
    wire         queued_tvalid;
    wire         queued_tready;
    wire [31:0]  frames_dropped;

    // The port says where a frame comes from; where it goes the service says. Whole words are written.
    wire                unused_shell = &{1'b0, s_axis_qdma_h2c_tuser_src, s_axis_qdma_h2c_tuser_dst,
        s_axis_adap_rx_250mhz_tuser_src, s_axis_adap_rx_250mhz_tuser_dst, s_axil_awaddr[31:12], s_axil_araddr[31:12],
        out_tuser, queued_tuser[127:32]};

    emu_input_arbiter #(.PORTS(PORTS), .DATA_BITS(512), .USER_BITS(32), .LOG2_DEPTH(@LOG2_DEPTH@)) arbiter (
        .clk(axis_aclk),
        .resetn(axis_resetn),
        .s_axis_tdata({s_axis_qdma_h2c_tdata, s_axis_adap_rx_250mhz_tdata}),
        .s_axis_tkeep({s_axis_qdma_h2c_tkeep, s_axis_adap_rx_250mhz_tkeep}),
        .s_axis_tuser(in_tuser),
        .s_axis_tlast({s_axis_qdma_h2c_tlast, s_axis_adap_rx_250mhz_tlast}),
        .s_axis_tvalid({s_axis_qdma_h2c_tvalid, s_axis_adap_rx_250mhz_tvalid}),
        .s_axis_tready({s_axis_qdma_h2c_tready, s_axis_adap_rx_250mhz_tready}),
        .m_axis_tdata(merged_tdata),
        .m_axis_tkeep(merged_tkeep),
        .m_axis_tuser(merged_tuser),
        .m_axis_tlast(merged_tlast),
        .m_axis_tvalid(merged_tvalid),
        .m_axis_tready(merged_tready)
    );

    emu_datapath datapath (
        .clk(axis_aclk),
        .resetn(axis_resetn),
        .external_time(64'd0),
        .frames_dropped(frames_dropped),
        .now(unused_now),
        .s_axis_tdata(merged_tdata),
        .s_axis_tkeep(merged_tkeep),
        .s_axis_tuser({96'd0, merged_tuser}),
        .s_axis_tlast(merged_tlast),
        .s_axis_tvalid(merged_tvalid),
        .s_axis_tready(merged_tready),
        .m_axis_tdata(queued_tdata),
        .m_axis_tkeep(queued_tkeep),
        .m_axis_tuser(queued_tuser),
        .m_axis_tlast(queued_tlast),
        .m_axis_tvalid(queued_tvalid),
        .m_axis_tready(queued_tready),
        .axil_clk(axil_aclk),
        .axil_resetn(axil_resetn),
        .s_axil_awaddr(s_axil_awaddr[11:0]),
        .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready),
        .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(4'hF),
        .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid),
        .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr[11:0]),
        .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready)
    );

    emu_output_queues #(.PORTS(PORTS), .DATA_BITS(512), .LOG2_DEPTH(@LOG2_DEPTH@)) queues (
        .clk(axis_aclk),
        .resetn(axis_resetn),
        .s_axis_tdata(queued_tdata),
        .s_axis_tkeep(queued_tkeep),
        .s_axis_tuser(queued_tuser[31:0]),
        .s_axis_tlast(queued_tlast),
        .s_axis_tvalid(queued_tvalid),
        .s_axis_tready(queued_tready),
        .m_axis_tdata({m_axis_qdma_c2h_tdata, m_axis_adap_tx_250mhz_tdata}),
        .m_axis_tkeep({m_axis_qdma_c2h_tkeep, m_axis_adap_tx_250mhz_tkeep}),
        .m_axis_tuser(out_tuser),
        .m_axis_tlast({m_axis_qdma_c2h_tlast, m_axis_adap_tx_250mhz_tlast}),
        .m_axis_tvalid(out_tvalid),
        .m_axis_tready({m_axis_qdma_c2h_tready, m_axis_adap_tx_250mhz_tready}),
        .dropped(frames_dropped)
    );
endmodule

`default_nettype wire
