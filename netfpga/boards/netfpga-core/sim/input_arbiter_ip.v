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
@EACH @QUEUES@
    input  wire [C_S_AXIS_DATA_WIDTH-1:0] s_axis_@N@_tdata,
    input  wire [C_S_AXIS_DATA_WIDTH/8-1:0] s_axis_@N@_tkeep,
    input  wire [127:0] s_axis_@N@_tuser,
    input  wire s_axis_@N@_tvalid,
    output wire s_axis_@N@_tready,
    input  wire s_axis_@N@_tlast,
@END@
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

    localparam QUEUES = @QUEUES@;

    wire [QUEUES*C_S_AXIS_DATA_WIDTH-1:0] queue_tdata;
    wire [QUEUES*C_S_AXIS_DATA_WIDTH/8-1:0] queue_tkeep;
    wire [QUEUES*128-1:0] queue_tuser;
    wire [QUEUES-1:0] queue_tvalid;
    wire [QUEUES-1:0] queue_tready;
    wire [QUEUES-1:0] queue_tlast;

@EACH @QUEUES@
    assign queue_tdata[@N@*C_S_AXIS_DATA_WIDTH +: C_S_AXIS_DATA_WIDTH] = s_axis_@N@_tdata;
    assign queue_tkeep[@N@*C_S_AXIS_DATA_WIDTH/8 +: C_S_AXIS_DATA_WIDTH/8] = s_axis_@N@_tkeep;
    assign queue_tuser[@N@*128 +: 128] = s_axis_@N@_tuser;
    assign queue_tvalid[@N@] = s_axis_@N@_tvalid;
    assign s_axis_@N@_tready = queue_tready[@N@];
    assign queue_tlast[@N@] = s_axis_@N@_tlast;
@END@

    emu_input_arbiter #(.PORTS(QUEUES), .DATA_BITS(C_S_AXIS_DATA_WIDTH), .USER_BITS(128), .LOG2_DEPTH(@LOG2_DEPTH@)) arbiter (
        .clk(axis_aclk),
        .resetn(axis_resetn),
        .s_axis_tdata(queue_tdata),
        .s_axis_tkeep(queue_tkeep),
        .s_axis_tuser(queue_tuser),
        .s_axis_tvalid(queue_tvalid),
        .s_axis_tready(queue_tready),
        .s_axis_tlast(queue_tlast),
        .m_axis_tdata(m_axis_tdata),
        .m_axis_tkeep(m_axis_tkeep),
        .m_axis_tuser(m_axis_tuser),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tlast(m_axis_tlast)
    );
endmodule

`default_nettype wire
