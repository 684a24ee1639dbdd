`timescale 1ns / 1ps
`default_nettype none

// In the place of the shell's input arbiter, in simulation: its names, this repository's arbiter.
module input_arbiter_ip #(
    parameter C_S_AXIS_DATA_WIDTH = @DATA_BITS@
) (
    input  wire axis_aclk,
    input  wire axis_resetn,
    output wire [C_S_AXIS_DATA_WIDTH-1:0] m_axis_tdata,
    output wire [C_S_AXIS_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output wire [127:0] m_axis_tuser,
    output wire m_axis_tvalid,
    input  wire m_axis_tready,
    output wire m_axis_tlast,
    input  wire [C_S_AXIS_DATA_WIDTH-1:0] s_axis_0_tdata,
    input  wire [C_S_AXIS_DATA_WIDTH/8-1:0] s_axis_0_tkeep,
    input  wire [127:0] s_axis_0_tuser,
    input  wire s_axis_0_tvalid,
    output wire s_axis_0_tready,
    input  wire s_axis_0_tlast,
    input  wire [C_S_AXIS_DATA_WIDTH-1:0] s_axis_1_tdata,
    input  wire [C_S_AXIS_DATA_WIDTH/8-1:0] s_axis_1_tkeep,
    input  wire [127:0] s_axis_1_tuser,
    input  wire s_axis_1_tvalid,
    output wire s_axis_1_tready,
    input  wire s_axis_1_tlast,
    input  wire [C_S_AXIS_DATA_WIDTH-1:0] s_axis_2_tdata,
    input  wire [C_S_AXIS_DATA_WIDTH/8-1:0] s_axis_2_tkeep,
    input  wire [127:0] s_axis_2_tuser,
    input  wire s_axis_2_tvalid,
    output wire s_axis_2_tready,
    input  wire s_axis_2_tlast,
    input  wire [C_S_AXIS_DATA_WIDTH-1:0] s_axis_3_tdata,
    input  wire [C_S_AXIS_DATA_WIDTH/8-1:0] s_axis_3_tkeep,
    input  wire [127:0] s_axis_3_tuser,
    input  wire s_axis_3_tvalid,
    output wire s_axis_3_tready,
    input  wire s_axis_3_tlast,
    input  wire [C_S_AXIS_DATA_WIDTH-1:0] s_axis_4_tdata,
    input  wire [C_S_AXIS_DATA_WIDTH/8-1:0] s_axis_4_tkeep,
    input  wire [127:0] s_axis_4_tuser,
    input  wire s_axis_4_tvalid,
    output wire s_axis_4_tready,
    input  wire s_axis_4_tlast,
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

    emu_input_arbiter #(.PORTS(5), .DATA_BITS(C_S_AXIS_DATA_WIDTH), .USER_BITS(128), .LOG2_DEPTH(@LOG2_DEPTH@)) arbiter (
        .clk(axis_aclk),
        .resetn(axis_resetn),
        .s_axis_tdata({s_axis_4_tdata, s_axis_3_tdata, s_axis_2_tdata, s_axis_1_tdata, s_axis_0_tdata}),
        .s_axis_tkeep({s_axis_4_tkeep, s_axis_3_tkeep, s_axis_2_tkeep, s_axis_1_tkeep, s_axis_0_tkeep}),
        .s_axis_tuser({s_axis_4_tuser, s_axis_3_tuser, s_axis_2_tuser, s_axis_1_tuser, s_axis_0_tuser}),
        .s_axis_tvalid({s_axis_4_tvalid, s_axis_3_tvalid, s_axis_2_tvalid, s_axis_1_tvalid, s_axis_0_tvalid}),
        .s_axis_tready({s_axis_4_tready, s_axis_3_tready, s_axis_2_tready, s_axis_1_tready, s_axis_0_tready}),
        .s_axis_tlast({s_axis_4_tlast, s_axis_3_tlast, s_axis_2_tlast, s_axis_1_tlast, s_axis_0_tlast}),
        .m_axis_tdata(m_axis_tdata),
        .m_axis_tkeep(m_axis_tkeep),
        .m_axis_tuser(m_axis_tuser),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tlast(m_axis_tlast)
    );
endmodule

`default_nettype wire
