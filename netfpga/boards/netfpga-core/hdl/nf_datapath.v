`timescale 1ns / 1ps
`default_nettype none

// The path of frames: the shell's input arbiter, the service, the shell's output queues.
module nf_datapath #(
    parameter C_S_AXI_DATA_WIDTH = 32,
    parameter C_S_AXI_ADDR_WIDTH = 32,
    parameter C_BASEADDR = 32'h00000000,
    parameter C_M_AXIS_DATA_WIDTH = @DATA_BITS@,
    parameter C_S_AXIS_DATA_WIDTH = @DATA_BITS@,
    parameter C_M_AXIS_TUSER_WIDTH = 128,
    parameter C_S_AXIS_TUSER_WIDTH = 128,
    parameter NUM_QUEUES = @QUEUES@
) (
@EACH 3
    input  wire [C_S_AXI_ADDR_WIDTH-1:0] S@N@_AXI_AWADDR,
    input  wire S@N@_AXI_AWVALID,
    input  wire [31:0] S@N@_AXI_WDATA,
    input  wire [3:0] S@N@_AXI_WSTRB,
    input  wire S@N@_AXI_WVALID,
    input  wire S@N@_AXI_BREADY,
    input  wire [C_S_AXI_ADDR_WIDTH-1:0] S@N@_AXI_ARADDR,
    input  wire S@N@_AXI_ARVALID,
    input  wire S@N@_AXI_RREADY,
    output wire S@N@_AXI_ARREADY,
    output wire [31:0] S@N@_AXI_RDATA,
    output wire [1:0] S@N@_AXI_RRESP,
    output wire S@N@_AXI_RVALID,
    output wire S@N@_AXI_WREADY,
    output wire [1:0] S@N@_AXI_BRESP,
    output wire S@N@_AXI_BVALID,
    output wire S@N@_AXI_AWREADY,
@END@
@EACH @QUEUES@
    output wire [C_S_AXIS_DATA_WIDTH-1:0] m_axis_@N@_tdata,
    output wire [C_S_AXIS_DATA_WIDTH/8-1:0] m_axis_@N@_tkeep,
    output wire [127:0] m_axis_@N@_tuser,
    output wire m_axis_@N@_tvalid,
    input  wire m_axis_@N@_tready,
    output wire m_axis_@N@_tlast,
@END@
@EACH @QUEUES@
    input  wire [C_S_AXIS_DATA_WIDTH-1:0] s_axis_@N@_tdata,
    input  wire [C_S_AXIS_DATA_WIDTH/8-1:0] s_axis_@N@_tkeep,
    input  wire [127:0] s_axis_@N@_tuser,
    input  wire s_axis_@N@_tvalid,
    output wire s_axis_@N@_tready,
    input  wire s_axis_@N@_tlast,
@END@
    input  wire axis_aclk,
    input  wire axis_resetn,
    input  wire axi_aclk,
    input  wire axi_resetn
);
    wire [C_S_AXIS_DATA_WIDTH-1:0] arbited_tdata;
    wire [C_S_AXIS_DATA_WIDTH/8-1:0] arbited_tkeep;
    wire [127:0] arbited_tuser;
    wire arbited_tvalid;
    wire arbited_tready;
    wire arbited_tlast;

    wire [C_S_AXIS_DATA_WIDTH-1:0] looked_up_tdata;
    wire [C_S_AXIS_DATA_WIDTH/8-1:0] looked_up_tkeep;
    wire [127:0] looked_up_tuser;
    wire looked_up_tvalid;
    wire looked_up_tready;
    wire looked_up_tlast;

    generate
        if (C_S_AXI_DATA_WIDTH != 32 || C_S_AXI_ADDR_WIDTH < 12 || C_M_AXIS_DATA_WIDTH != C_S_AXIS_DATA_WIDTH
            || C_M_AXIS_TUSER_WIDTH != 128 || C_S_AXIS_TUSER_WIDTH != 128 || C_BASEADDR[11:0] != 12'd0
            || NUM_QUEUES < @QUEUES@) begin : refused
            emu_parameters_that_this_project_was_not_made_for refused ();
        end
    endgenerate

    input_arbiter_ip input_arbiter_v1_0 (
        .axis_aclk(axis_aclk),
        .axis_resetn(axis_resetn),
        .m_axis_tdata(arbited_tdata),
        .m_axis_tkeep(arbited_tkeep),
        .m_axis_tuser(arbited_tuser),
        .m_axis_tvalid(arbited_tvalid),
        .m_axis_tready(arbited_tready),
        .m_axis_tlast(arbited_tlast),
@EACH @QUEUES@
        .s_axis_@N@_tdata(s_axis_@N@_tdata),
        .s_axis_@N@_tkeep(s_axis_@N@_tkeep),
        .s_axis_@N@_tuser(s_axis_@N@_tuser),
        .s_axis_@N@_tvalid(s_axis_@N@_tvalid),
        .s_axis_@N@_tready(s_axis_@N@_tready),
        .s_axis_@N@_tlast(s_axis_@N@_tlast),
@END@
        .S_AXI_AWADDR(S0_AXI_AWADDR),
        .S_AXI_AWVALID(S0_AXI_AWVALID),
        .S_AXI_WDATA(S0_AXI_WDATA),
        .S_AXI_WSTRB(S0_AXI_WSTRB),
        .S_AXI_WVALID(S0_AXI_WVALID),
        .S_AXI_BREADY(S0_AXI_BREADY),
        .S_AXI_ARADDR(S0_AXI_ARADDR),
        .S_AXI_ARVALID(S0_AXI_ARVALID),
        .S_AXI_RREADY(S0_AXI_RREADY),
        .S_AXI_ARREADY(S0_AXI_ARREADY),
        .S_AXI_RDATA(S0_AXI_RDATA),
        .S_AXI_RRESP(S0_AXI_RRESP),
        .S_AXI_RVALID(S0_AXI_RVALID),
        .S_AXI_WREADY(S0_AXI_WREADY),
        .S_AXI_BRESP(S0_AXI_BRESP),
        .S_AXI_BVALID(S0_AXI_BVALID),
        .S_AXI_AWREADY(S0_AXI_AWREADY),
        .S_AXI_ACLK(axi_aclk),
        .S_AXI_ARESETN(axi_resetn)
    );

    emu_output_port_lookup_ip output_port_lookup_1 (
        .axis_aclk(axis_aclk),
        .axis_resetn(axis_resetn),
        .m_axis_tdata(looked_up_tdata),
        .m_axis_tkeep(looked_up_tkeep),
        .m_axis_tuser(looked_up_tuser),
        .m_axis_tvalid(looked_up_tvalid),
        .m_axis_tready(looked_up_tready),
        .m_axis_tlast(looked_up_tlast),
        .s_axis_tdata(arbited_tdata),
        .s_axis_tkeep(arbited_tkeep),
        .s_axis_tuser(arbited_tuser),
        .s_axis_tvalid(arbited_tvalid),
        .s_axis_tready(arbited_tready),
        .s_axis_tlast(arbited_tlast),
        .S_AXI_AWADDR(S1_AXI_AWADDR),
        .S_AXI_AWVALID(S1_AXI_AWVALID),
        .S_AXI_WDATA(S1_AXI_WDATA),
        .S_AXI_WSTRB(S1_AXI_WSTRB),
        .S_AXI_WVALID(S1_AXI_WVALID),
        .S_AXI_BREADY(S1_AXI_BREADY),
        .S_AXI_ARADDR(S1_AXI_ARADDR),
        .S_AXI_ARVALID(S1_AXI_ARVALID),
        .S_AXI_RREADY(S1_AXI_RREADY),
        .S_AXI_ARREADY(S1_AXI_ARREADY),
        .S_AXI_RDATA(S1_AXI_RDATA),
        .S_AXI_RRESP(S1_AXI_RRESP),
        .S_AXI_RVALID(S1_AXI_RVALID),
        .S_AXI_WREADY(S1_AXI_WREADY),
        .S_AXI_BRESP(S1_AXI_BRESP),
        .S_AXI_BVALID(S1_AXI_BVALID),
        .S_AXI_AWREADY(S1_AXI_AWREADY),
        .S_AXI_ACLK(axi_aclk),
        .S_AXI_ARESETN(axi_resetn)
    );

    output_queues_ip bram_output_queues_1 (
        .axis_aclk(axis_aclk),
        .axis_resetn(axis_resetn),
        .s_axis_tdata(looked_up_tdata),
        .s_axis_tkeep(looked_up_tkeep),
        .s_axis_tuser(looked_up_tuser),
        .s_axis_tvalid(looked_up_tvalid),
        .s_axis_tready(looked_up_tready),
        .s_axis_tlast(looked_up_tlast),
@EACH @QUEUES@
        .m_axis_@N@_tdata(m_axis_@N@_tdata),
        .m_axis_@N@_tkeep(m_axis_@N@_tkeep),
        .m_axis_@N@_tuser(m_axis_@N@_tuser),
        .m_axis_@N@_tvalid(m_axis_@N@_tvalid),
        .m_axis_@N@_tready(m_axis_@N@_tready),
        .m_axis_@N@_tlast(m_axis_@N@_tlast),
@END@
        .bytes_stored(),
        .pkt_stored(),
@EACH @QUEUES@
        .bytes_removed_@N@(),
@END@
@EACH @QUEUES@
        .pkt_removed_@N@(),
@END@
        .bytes_dropped(),
        .pkt_dropped(),
        .S_AXI_AWADDR(S2_AXI_AWADDR),
        .S_AXI_AWVALID(S2_AXI_AWVALID),
        .S_AXI_WDATA(S2_AXI_WDATA),
        .S_AXI_WSTRB(S2_AXI_WSTRB),
        .S_AXI_WVALID(S2_AXI_WVALID),
        .S_AXI_BREADY(S2_AXI_BREADY),
        .S_AXI_ARADDR(S2_AXI_ARADDR),
        .S_AXI_ARVALID(S2_AXI_ARVALID),
        .S_AXI_RREADY(S2_AXI_RREADY),
        .S_AXI_ARREADY(S2_AXI_ARREADY),
        .S_AXI_RDATA(S2_AXI_RDATA),
        .S_AXI_RRESP(S2_AXI_RRESP),
        .S_AXI_RVALID(S2_AXI_RVALID),
        .S_AXI_WREADY(S2_AXI_WREADY),
        .S_AXI_BRESP(S2_AXI_BRESP),
        .S_AXI_BVALID(S2_AXI_BVALID),
        .S_AXI_AWREADY(S2_AXI_AWREADY),
        .S_AXI_ACLK(axi_aclk),
        .S_AXI_ARESETN(axi_resetn)
    );
endmodule

`default_nettype wire
