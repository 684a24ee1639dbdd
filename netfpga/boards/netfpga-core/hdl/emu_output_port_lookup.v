`timescale 1ns / 1ps
`default_nettype none

// @SERVICE@ in the place of a NetFPGA output port lookup, between the input arbiter and the output queues.
//
// Ports of the service: 0 up are MAC ports, at the even bits of tuser's source and destination. With HOST_PORT the
// host's queues, the odd bits, are one port more of the service; without (-1) frames of the host are left out, and
// none goes there.
module emu_output_port_lookup #(
    parameter C_S_AXI_DATA_WIDTH = 32,
    parameter C_S_AXI_ADDR_WIDTH = 32,
    parameter C_M_AXIS_DATA_WIDTH = @DATA_BITS@,
    parameter C_S_AXIS_DATA_WIDTH = @DATA_BITS@,
    parameter C_M_AXIS_TUSER_WIDTH = 128,
    parameter C_S_AXIS_TUSER_WIDTH = 128,
    parameter SRC_PORT_POS = 16,
    parameter DST_PORT_POS = 24,
    parameter C_BASEADDR = 32'h00000000,
    parameter HOST_PORT = @HOST_PORT@
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
    input  wire [C_S_AXI_ADDR_WIDTH-1:0] S_AXI_AWADDR,
    input  wire S_AXI_AWVALID,
    input  wire [31:0] S_AXI_WDATA,
    input  wire [3:0] S_AXI_WSTRB,
    input  wire S_AXI_WVALID,
    input  wire S_AXI_BREADY,
    input  wire [C_S_AXI_ADDR_WIDTH-1:0] S_AXI_ARADDR,
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
    localparam [7:0] HOST_QUEUES = 8'hAA;
    localparam [7:0] FIRST_HOST_QUEUE = 8'h02;
    // The service's own number of the host: with four MAC ports it is the fifth, which is at the first odd bit.
    localparam [7:0] HOST_BIT = HOST_PORT < 0 ? 8'd0 : HOST_PORT < 4 ? 8'd1 << (2 * HOST_PORT) : FIRST_HOST_QUEUE;

    // The first beat says where a frame comes from.
    reg        is_inside;
    reg        was_host;
    wire [7:0] source = s_axis_tuser[SRC_PORT_POS +: 8];
    wire       is_host = is_inside ? was_host : |(source & HOST_QUEUES);
    wire       is_left_out = is_host && HOST_PORT < 0;
    wire       is_taken;
    wire [63:0] unused_now;

    assign s_axis_tready = is_left_out || is_taken;

    always @(posedge axis_aclk) begin
        if (s_axis_tvalid && !is_inside) was_host <= is_host;
        if (!axis_resetn) is_inside <= 1'b0;
        else if (s_axis_tvalid && s_axis_tready) is_inside <= !s_axis_tlast;
    end

    wire [127:0] in_tuser = {s_axis_tuser[127:32], 8'd0, is_host ? HOST_BIT : source, s_axis_tuser[15:0]};
    wire [127:0] out_tuser;
    wire [7:0]   target = out_tuser[31:24];
    wire         unused_address = &{1'b0, S_AXI_AWADDR, S_AXI_ARADDR, s_axis_tuser[31:24]};

    assign m_axis_tuser = {out_tuser[127:32],
        target & ~HOST_BIT | (|(target & HOST_BIT) ? FIRST_HOST_QUEUE : 8'd0), out_tuser[23:0]};

    // Parameters that are the shell's, and of which other values are not made.
    generate
        if (C_S_AXIS_DATA_WIDTH != @DATA_BITS@ || C_M_AXIS_DATA_WIDTH != @DATA_BITS@ || C_S_AXI_DATA_WIDTH != 32
            || C_S_AXI_ADDR_WIDTH < 12 || C_M_AXIS_TUSER_WIDTH != 128 || C_S_AXIS_TUSER_WIDTH != 128
            || SRC_PORT_POS != 16 || DST_PORT_POS != 24 || C_BASEADDR[11:0] != 12'd0) begin : refused
            emu_parameters_that_this_project_was_not_made_for refused ();
        end
    endgenerate

    emu_datapath datapath (
        .clk(axis_aclk),
        .resetn(axis_resetn),
        .external_time(64'd0),
        .frames_dropped(32'd0),
        .now(unused_now),
        .s_axis_tdata(s_axis_tdata),
        .s_axis_tkeep(s_axis_tkeep),
        .s_axis_tuser(in_tuser),
        .s_axis_tlast(s_axis_tlast),
        .s_axis_tvalid(s_axis_tvalid && !is_left_out),
        .s_axis_tready(is_taken),
        .m_axis_tdata(m_axis_tdata),
        .m_axis_tkeep(m_axis_tkeep),
        .m_axis_tuser(out_tuser),
        .m_axis_tlast(m_axis_tlast),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .axil_clk(S_AXI_ACLK),
        .axil_resetn(S_AXI_ARESETN),
        .s_axil_awaddr(S_AXI_AWADDR[11:0]),
        .s_axil_awvalid(S_AXI_AWVALID),
        .s_axil_wdata(S_AXI_WDATA),
        .s_axil_wstrb(S_AXI_WSTRB),
        .s_axil_wvalid(S_AXI_WVALID),
        .s_axil_bready(S_AXI_BREADY),
        .s_axil_araddr(S_AXI_ARADDR[11:0]),
        .s_axil_arvalid(S_AXI_ARVALID),
        .s_axil_rready(S_AXI_RREADY),
        .s_axil_arready(S_AXI_ARREADY),
        .s_axil_rdata(S_AXI_RDATA),
        .s_axil_rresp(S_AXI_RRESP),
        .s_axil_rvalid(S_AXI_RVALID),
        .s_axil_wready(S_AXI_WREADY),
        .s_axil_bresp(S_AXI_BRESP),
        .s_axil_bvalid(S_AXI_BVALID),
        .s_axil_awready(S_AXI_AWREADY)
    );
endmodule

`default_nettype wire
