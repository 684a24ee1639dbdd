`timescale 1ns / 1ps
`default_nettype none

// The datapath between the bench's ports: the MACs, then the host where the service has a port for it. A queue of the
// shell that is no port's gets no frame.
module board_under_test (
    input  wire                   clk,
    input  wire                   axil_clk,
    input  wire                   resetn,
    output wire                   is_ready,
    input  wire [@PORTS@*@DATA_BITS@-1:0] s_tdata,
    input  wire [@PORTS@*@DATA_BITS@/8-1:0]  s_tkeep,
    input  wire [@PORTS@*128-1:0] s_tuser,
    input  wire [@PORTS@-1:0]     s_tlast,
    input  wire [@PORTS@-1:0]     s_tvalid,
    output wire [@PORTS@-1:0]     s_tready,
    output wire [@PORTS@*@DATA_BITS@-1:0] m_tdata,
    output wire [@PORTS@*@DATA_BITS@/8-1:0]  m_tkeep,
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
    localparam PORTS = @PORTS@, QUEUES = @QUEUES@, DATA_BITS = @DATA_BITS@, KEEP_BITS = DATA_BITS / 8;

    // Frames that have gone to the service, and those that an output queue had no room for.
`ifdef SHELL_QUEUES
    assign stamped = datapath.output_port_lookup_1.datapath.frames_stamped;
    // The shell's own queues have a bit of each queue, up for a cycle, and counters of their own behind their registers.
    integer    queue_number;
    reg [31:0] dropped;
    always @(posedge clk)
        if (!resetn) dropped = 32'd0;
        else for (queue_number = 0; queue_number < QUEUES; queue_number = queue_number + 1)
            dropped = dropped + {31'd0, datapath.bram_output_queues_1.pkt_dropped[queue_number]};
    assign queue_drops = dropped;
`else
    assign stamped = datapath.output_port_lookup_1.service.datapath.frames_stamped;
    assign queue_drops = datapath.bram_output_queues_1.pkt_dropped;
`endif

    // The bench's clocks are there before the reset ends.
    assign is_ready = resetn;

    wire [QUEUES*DATA_BITS-1:0] in_tdata;
    wire [QUEUES*KEEP_BITS-1:0] in_tkeep;
    wire [QUEUES*128-1:0] in_tuser;
    wire [QUEUES-1:0] in_tvalid;
    wire [QUEUES-1:0] in_tlast;
    wire [QUEUES-1:0] in_tready;
    wire [QUEUES*DATA_BITS-1:0] out_tdata;
    wire [QUEUES*KEEP_BITS-1:0] out_tkeep;
    wire [QUEUES*128-1:0] out_tuser;
    wire [QUEUES-1:0] out_tvalid;
    wire [QUEUES-1:0] out_tlast;
    wire [QUEUES-1:0] out_tready;
    wire unused = &{1'b0, s_tuser, in_tready, out_tdata, out_tkeep, out_tuser, out_tvalid, out_tlast};

    assign in_tdata = s_tdata;
    assign in_tkeep = s_tkeep;
    assign in_tvalid = s_tvalid;
    assign in_tlast = s_tlast;
    assign s_tready = in_tready[PORTS-1:0];
    assign m_tdata = out_tdata[PORTS*DATA_BITS-1:0];
    assign m_tkeep = out_tkeep[PORTS*KEEP_BITS-1:0];
    assign m_tuser = out_tuser[PORTS*128-1:0];
    assign m_tvalid = out_tvalid[PORTS-1:0];
    assign m_tlast = out_tlast[PORTS-1:0];
    assign out_tready = m_tready;

    genvar g;
    generate
        // The shell's numbers: MAC ports at even bits, the host at bit 1.
        for (g = 0; g < QUEUES; g = g + 1) begin : queue
            wire [127:0] port_tuser = s_tuser >> 128 * g;
            assign in_tuser[128*g +: 128] =
                {104'd0, g == @HOST_PORT@ ? 8'h02 : 8'd1 << (2 * g), port_tuser[15:0]};
        end
    endgenerate

    nf_datapath datapath (
@EACH @QUEUES@
        .s_axis_@N@_tdata(in_tdata[@N@*DATA_BITS +: DATA_BITS]),
        .m_axis_@N@_tdata(out_tdata[@N@*DATA_BITS +: DATA_BITS]),
        .s_axis_@N@_tkeep(in_tkeep[@N@*KEEP_BITS +: KEEP_BITS]),
        .m_axis_@N@_tkeep(out_tkeep[@N@*KEEP_BITS +: KEEP_BITS]),
        .s_axis_@N@_tuser(in_tuser[@N@*128 +: 128]),
        .m_axis_@N@_tuser(out_tuser[@N@*128 +: 128]),
        .s_axis_@N@_tvalid(in_tvalid[@N@]),
        .m_axis_@N@_tvalid(out_tvalid[@N@]),
        .s_axis_@N@_tlast(in_tlast[@N@]),
        .m_axis_@N@_tlast(out_tlast[@N@]),
        .s_axis_@N@_tready(in_tready[@N@]),
        .m_axis_@N@_tready(out_tready[@N@]),
@END@
        .axis_aclk(clk),
        .axis_resetn(resetn),
        .axi_aclk(axil_clk),
        .axi_resetn(resetn),
        .S0_AXI_AWADDR(32'd0),
        .S0_AXI_AWVALID(1'b0),
        .S0_AXI_WDATA(32'd0),
        .S0_AXI_WSTRB(4'd0),
        .S0_AXI_WVALID(1'b0),
        .S0_AXI_BREADY(1'b0),
        .S0_AXI_ARADDR(32'd0),
        .S0_AXI_ARVALID(1'b0),
        .S0_AXI_RREADY(1'b0),
        .S0_AXI_ARREADY(),
        .S0_AXI_RDATA(),
        .S0_AXI_RRESP(),
        .S0_AXI_RVALID(),
        .S0_AXI_WREADY(),
        .S0_AXI_BRESP(),
        .S0_AXI_BVALID(),
        .S0_AXI_AWREADY(),
        .S2_AXI_AWADDR(32'd0),
        .S2_AXI_AWVALID(1'b0),
        .S2_AXI_WDATA(32'd0),
        .S2_AXI_WSTRB(4'd0),
        .S2_AXI_WVALID(1'b0),
        .S2_AXI_BREADY(1'b0),
        .S2_AXI_ARADDR(32'd0),
        .S2_AXI_ARVALID(1'b0),
        .S2_AXI_RREADY(1'b0),
        .S2_AXI_ARREADY(),
        .S2_AXI_RDATA(),
        .S2_AXI_RRESP(),
        .S2_AXI_RVALID(),
        .S2_AXI_WREADY(),
        .S2_AXI_BRESP(),
        .S2_AXI_BVALID(),
        .S2_AXI_AWREADY(),
        .S1_AXI_AWADDR(awaddr),
        .S1_AXI_AWVALID(awvalid),
        .S1_AXI_WDATA(wdata),
        .S1_AXI_WSTRB(4'hF),
        .S1_AXI_WVALID(wvalid),
        .S1_AXI_BREADY(bready),
        .S1_AXI_ARADDR(araddr),
        .S1_AXI_ARVALID(arvalid),
        .S1_AXI_RREADY(rready),
        .S1_AXI_ARREADY(arready),
        .S1_AXI_RDATA(rdata),
        .S1_AXI_RRESP(rresp),
        .S1_AXI_RVALID(rvalid),
        .S1_AXI_WREADY(wready),
        .S1_AXI_BRESP(bresp),
        .S1_AXI_BVALID(bvalid),
        .S1_AXI_AWREADY(awready)
    );
endmodule

`default_nettype wire
