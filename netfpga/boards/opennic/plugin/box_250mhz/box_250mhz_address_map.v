`timescale 1ns / 1ps
`default_nettype none

// The box has one window of 4 KiB, which repeats over all of its addresses.
module box_250mhz_address_map (
    input  wire s_axil_awvalid,
    input  wire [31:0] s_axil_awaddr,
    output wire s_axil_awready,
    input  wire s_axil_wvalid,
    input  wire [31:0] s_axil_wdata,
    output wire s_axil_wready,
    output wire s_axil_bvalid,
    output wire [1:0] s_axil_bresp,
    input  wire s_axil_bready,
    input  wire s_axil_arvalid,
    input  wire [31:0] s_axil_araddr,
    output wire s_axil_arready,
    output wire s_axil_rvalid,
    output wire [31:0] s_axil_rdata,
    output wire [1:0] s_axil_rresp,
    input  wire s_axil_rready,
    output wire m_axil_awvalid,
    output wire [31:0] m_axil_awaddr,
    input  wire m_axil_awready,
    output wire m_axil_wvalid,
    output wire [31:0] m_axil_wdata,
    input  wire m_axil_wready,
    input  wire m_axil_bvalid,
    input  wire [1:0] m_axil_bresp,
    output wire m_axil_bready,
    output wire m_axil_arvalid,
    output wire [31:0] m_axil_araddr,
    input  wire m_axil_arready,
    input  wire m_axil_rvalid,
    input  wire [31:0] m_axil_rdata,
    input  wire [1:0] m_axil_rresp,
    output wire m_axil_rready
);
    wire unused_high = &{1'b0, s_axil_awaddr[31:12], s_axil_araddr[31:12]};

    assign m_axil_awvalid = s_axil_awvalid;
    assign m_axil_awaddr = {20'd0, s_axil_awaddr[11:0]};
    assign s_axil_awready = m_axil_awready;
    assign m_axil_wvalid = s_axil_wvalid;
    assign m_axil_wdata = s_axil_wdata;
    assign s_axil_wready = m_axil_wready;
    assign s_axil_bvalid = m_axil_bvalid;
    assign s_axil_bresp = m_axil_bresp;
    assign m_axil_bready = s_axil_bready;
    assign m_axil_arvalid = s_axil_arvalid;
    assign m_axil_araddr = {20'd0, s_axil_araddr[11:0]};
    assign s_axil_arready = m_axil_arready;
    assign s_axil_rvalid = m_axil_rvalid;
    assign s_axil_rdata = m_axil_rdata;
    assign s_axil_rresp = m_axil_rresp;
    assign m_axil_rready = s_axil_rready;
endmodule

`default_nettype wire
