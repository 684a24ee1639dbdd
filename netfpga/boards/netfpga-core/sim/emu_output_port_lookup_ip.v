`timescale 1ns / 1ps
`default_nettype none

// In the place of what Vivado makes of the packaged service, in simulation: the service under the instance's name.
module emu_output_port_lookup_ip #(
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
    input  wire [C_S_AXIS_DATA_WIDTH-1:0] s_axis_tdata,
    input  wire [C_S_AXIS_DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  wire [127:0] s_axis_tuser,
    input  wire s_axis_tvalid,
    output wire s_axis_tready,
    input  wire s_axis_tlast,
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
    emu_output_port_lookup #(
        .C_M_AXIS_DATA_WIDTH(C_S_AXIS_DATA_WIDTH), .C_S_AXIS_DATA_WIDTH(C_S_AXIS_DATA_WIDTH)
    ) service (
        .axis_aclk(axis_aclk),
        .axis_resetn(axis_resetn),
        .m_axis_tdata(m_axis_tdata),
        .m_axis_tkeep(m_axis_tkeep),
        .m_axis_tuser(m_axis_tuser),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tlast(m_axis_tlast),
        .s_axis_tdata(s_axis_tdata),
        .s_axis_tkeep(s_axis_tkeep),
        .s_axis_tuser(s_axis_tuser),
        .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tready(s_axis_tready),
        .s_axis_tlast(s_axis_tlast),
        .S_AXI_AWADDR(S_AXI_AWADDR),
        .S_AXI_AWVALID(S_AXI_AWVALID),
        .S_AXI_WDATA(S_AXI_WDATA),
        .S_AXI_WSTRB(S_AXI_WSTRB),
        .S_AXI_WVALID(S_AXI_WVALID),
        .S_AXI_BREADY(S_AXI_BREADY),
        .S_AXI_ARADDR(S_AXI_ARADDR),
        .S_AXI_ARVALID(S_AXI_ARVALID),
        .S_AXI_RREADY(S_AXI_RREADY),
        .S_AXI_ARREADY(S_AXI_ARREADY),
        .S_AXI_RDATA(S_AXI_RDATA),
        .S_AXI_RRESP(S_AXI_RRESP),
        .S_AXI_RVALID(S_AXI_RVALID),
        .S_AXI_WREADY(S_AXI_WREADY),
        .S_AXI_BRESP(S_AXI_BRESP),
        .S_AXI_BVALID(S_AXI_BVALID),
        .S_AXI_AWREADY(S_AXI_AWREADY),
        .S_AXI_ACLK(S_AXI_ACLK),
        .S_AXI_ARESETN(S_AXI_ARESETN)
    );
endmodule

`default_nettype wire
