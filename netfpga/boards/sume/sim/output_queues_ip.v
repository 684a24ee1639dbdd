`timescale 1ns / 1ps
`default_nettype none

// In the place of the shell's output queues, in simulation: its names, this repository's queues. The last port is the
// host's, and stays empty.
module output_queues_ip #(
    parameter C_S_AXIS_DATA_WIDTH = @DATA_BITS@
) (
    input  wire axis_aclk,
    input  wire axis_resetn,
    input  wire [C_S_AXIS_DATA_WIDTH-1:0] s_axis_tdata,
    input  wire [C_S_AXIS_DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  wire [127:0] s_axis_tuser,
    input  wire s_axis_tvalid,
    output wire s_axis_tready,
    input  wire s_axis_tlast,
    output wire [C_S_AXIS_DATA_WIDTH-1:0] m_axis_0_tdata,
    output wire [C_S_AXIS_DATA_WIDTH/8-1:0] m_axis_0_tkeep,
    output wire [127:0] m_axis_0_tuser,
    output wire m_axis_0_tvalid,
    input  wire m_axis_0_tready,
    output wire m_axis_0_tlast,
    output wire [C_S_AXIS_DATA_WIDTH-1:0] m_axis_1_tdata,
    output wire [C_S_AXIS_DATA_WIDTH/8-1:0] m_axis_1_tkeep,
    output wire [127:0] m_axis_1_tuser,
    output wire m_axis_1_tvalid,
    input  wire m_axis_1_tready,
    output wire m_axis_1_tlast,
    output wire [C_S_AXIS_DATA_WIDTH-1:0] m_axis_2_tdata,
    output wire [C_S_AXIS_DATA_WIDTH/8-1:0] m_axis_2_tkeep,
    output wire [127:0] m_axis_2_tuser,
    output wire m_axis_2_tvalid,
    input  wire m_axis_2_tready,
    output wire m_axis_2_tlast,
    output wire [C_S_AXIS_DATA_WIDTH-1:0] m_axis_3_tdata,
    output wire [C_S_AXIS_DATA_WIDTH/8-1:0] m_axis_3_tkeep,
    output wire [127:0] m_axis_3_tuser,
    output wire m_axis_3_tvalid,
    input  wire m_axis_3_tready,
    output wire m_axis_3_tlast,
    output wire [C_S_AXIS_DATA_WIDTH-1:0] m_axis_4_tdata,
    output wire [C_S_AXIS_DATA_WIDTH/8-1:0] m_axis_4_tkeep,
    output wire [127:0] m_axis_4_tuser,
    output wire m_axis_4_tvalid,
    input  wire m_axis_4_tready,
    output wire m_axis_4_tlast,
    output wire [31:0] bytes_stored,
    output wire [31:0] pkt_stored,
    output wire [31:0] bytes_removed_0,
    output wire [31:0] bytes_removed_1,
    output wire [31:0] bytes_removed_2,
    output wire [31:0] bytes_removed_3,
    output wire [31:0] bytes_removed_4,
    output wire [31:0] pkt_removed_0,
    output wire [31:0] pkt_removed_1,
    output wire [31:0] pkt_removed_2,
    output wire [31:0] pkt_removed_3,
    output wire [31:0] pkt_removed_4,
    output wire [31:0] bytes_dropped,
    output wire [31:0] pkt_dropped,
    input  wire [31:0] S_AXI_AWADDR,
    input  wire S_AXI_AWVALID,
    input  wire [31:0] S_AXI_WDATA,
    input  wire [3:0] S_AXI_WSTRB,
    input  wire S_AXI_WVALID,
    input  wire S_AXI_BREADY,
    input  wire [31:0] S_AXI_ARADDR,
    input  wire S_AXI_ARVALID,
    input  wire S_AXI_RREADY,
    output wire S_AXI_ARREADY,
    output wire [31:0] S_AXI_RDATA,
    output wire [1:0] S_AXI_RRESP,
    output wire S_AXI_RVALID,
    output wire S_AXI_WREADY,
    output wire [1:0] S_AXI_BRESP,
    output wire S_AXI_BVALID,
    output wire S_AXI_AWREADY,
    input  wire S_AXI_ACLK,
    input  wire S_AXI_ARESETN
);
    // No register of the shell's module is modelled.
    wire unused_axi = &{1'b0, S_AXI_AWADDR, S_AXI_AWVALID, S_AXI_WDATA, S_AXI_WSTRB, S_AXI_WVALID, S_AXI_BREADY,
        S_AXI_ARADDR, S_AXI_ARVALID, S_AXI_RREADY, S_AXI_ACLK, S_AXI_ARESETN};
    assign S_AXI_ARREADY = 1'd0;
    assign S_AXI_RDATA = 32'd0;
    assign S_AXI_RRESP = 2'd0;
    assign S_AXI_RVALID = 1'd0;
    assign S_AXI_WREADY = 1'd0;
    assign S_AXI_BRESP = 2'd0;
    assign S_AXI_BVALID = 1'd0;
    assign S_AXI_AWREADY = 1'd0;
    assign bytes_stored = 32'd0;
    assign pkt_stored = 32'd0;
    assign bytes_removed_0 = 32'd0;
    assign bytes_removed_1 = 32'd0;
    assign bytes_removed_2 = 32'd0;
    assign bytes_removed_3 = 32'd0;
    assign bytes_removed_4 = 32'd0;
    assign pkt_removed_0 = 32'd0;
    assign pkt_removed_1 = 32'd0;
    assign pkt_removed_2 = 32'd0;
    assign pkt_removed_3 = 32'd0;
    assign pkt_removed_4 = 32'd0;
    assign bytes_dropped = 32'd0;

    // Four queues for the MACs; nothing of the service goes to the host.
    wire [127:0] kept;
    wire         unused_user = &{1'b0, s_axis_tuser[127:32], m_axis_4_tready};

    assign m_axis_4_tdata = 0;
    assign m_axis_4_tkeep = 0;
    assign m_axis_4_tuser = 0;
    assign m_axis_4_tlast = 1'b0;
    assign m_axis_4_tvalid = 1'b0;

    emu_output_queues #(.PORTS(4), .DATA_BITS(C_S_AXIS_DATA_WIDTH), .LOG2_DEPTH(@LOG2_DEPTH@)) queues (
        .clk(axis_aclk),
        .resetn(axis_resetn),
        .s_axis_tdata(s_axis_tdata),
        .s_axis_tkeep(s_axis_tkeep),
        .s_axis_tuser(s_axis_tuser[31:0]),
        .s_axis_tlast(s_axis_tlast),
        .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tready(s_axis_tready),
        .m_axis_tdata({m_axis_3_tdata, m_axis_2_tdata, m_axis_1_tdata, m_axis_0_tdata}),
        .m_axis_tkeep({m_axis_3_tkeep, m_axis_2_tkeep, m_axis_1_tkeep, m_axis_0_tkeep}),
        .m_axis_tvalid({m_axis_3_tvalid, m_axis_2_tvalid, m_axis_1_tvalid, m_axis_0_tvalid}),
        .m_axis_tready({m_axis_3_tready, m_axis_2_tready, m_axis_1_tready, m_axis_0_tready}),
        .m_axis_tlast({m_axis_3_tlast, m_axis_2_tlast, m_axis_1_tlast, m_axis_0_tlast}),
        .m_axis_tuser(kept),
        .dropped(pkt_dropped)
    );

    assign m_axis_0_tuser = {96'd0, kept[0 +: 32]};
    assign m_axis_1_tuser = {96'd0, kept[32 +: 32]};
    assign m_axis_2_tuser = {96'd0, kept[64 +: 32]};
    assign m_axis_3_tuser = {96'd0, kept[96 +: 32]};
endmodule

`default_nettype wire
