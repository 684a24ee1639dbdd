`timescale 1ns / 1ps
`default_nettype none

// In the place of the shell's output queues, in simulation: its names, this repository's queues.
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
@EACH @QUEUES@
    output wire [C_S_AXIS_DATA_WIDTH-1:0] m_axis_@N@_tdata,
    output wire [C_S_AXIS_DATA_WIDTH/8-1:0] m_axis_@N@_tkeep,
    output wire [127:0] m_axis_@N@_tuser,
    output wire m_axis_@N@_tvalid,
    input  wire m_axis_@N@_tready,
    output wire m_axis_@N@_tlast,
@END@
    output wire [31:0] bytes_stored,
    output wire [31:0] pkt_stored,
@EACH @QUEUES@
    output wire [31:0] bytes_removed_@N@,
@END@
@EACH @QUEUES@
    output wire [31:0] pkt_removed_@N@,
@END@
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
@EACH @QUEUES@
    assign bytes_removed_@N@ = 32'd0;
@END@
@EACH @QUEUES@
    assign pkt_removed_@N@ = 32'd0;
@END@
    assign bytes_dropped = 32'd0;

    localparam PORTS = @PORTS@, QUEUES = @QUEUES@, HOST_PORT = @HOST_PORT@;

    // A queue for each port of the service; the host's takes what any odd bit is for. A queue of the shell that is no
    // port's stays empty.
    wire [7:0] target = s_axis_tuser[31:24];
    wire       is_for_host = |(target & 8'hAA);
    wire [7:0] queue_of;
    genvar     g;
    generate
        for (g = 0; g < 4; g = g + 1) begin : queue_bits
            assign queue_of[2*g] = g == HOST_PORT ? is_for_host : target[2*g];
            assign queue_of[2*g + 1] = g + 4 == HOST_PORT && is_for_host;
        end
    endgenerate

    wire [QUEUES*C_S_AXIS_DATA_WIDTH-1:0] queue_tdata;
    wire [QUEUES*C_S_AXIS_DATA_WIDTH/8-1:0] queue_tkeep;
    wire [QUEUES*32-1:0] queue_tuser;
    wire [QUEUES-1:0] queue_tvalid;
    wire [QUEUES-1:0] queue_tlast;
    wire [QUEUES-1:0] queue_tready;
    wire [PORTS*C_S_AXIS_DATA_WIDTH-1:0] port_tdata;
    wire [PORTS*C_S_AXIS_DATA_WIDTH/8-1:0] port_tkeep;
    wire [PORTS*32-1:0] port_tuser;
    wire [PORTS-1:0] port_tvalid;
    wire [PORTS-1:0] port_tlast;
    wire unused_user = &{1'b0, s_axis_tuser[127:32], queue_tready};

    assign queue_tdata = port_tdata;
    assign queue_tkeep = port_tkeep;
    assign queue_tuser = port_tuser;
    assign queue_tvalid = port_tvalid;
    assign queue_tlast = port_tlast;

    emu_output_queues #(.PORTS(PORTS), .DATA_BITS(C_S_AXIS_DATA_WIDTH), .LOG2_DEPTH(@LOG2_DEPTH@)) queues (
        .clk(axis_aclk),
        .resetn(axis_resetn),
        .s_axis_tdata(s_axis_tdata),
        .s_axis_tkeep(s_axis_tkeep),
        .s_axis_tuser({queue_of, s_axis_tuser[23:0]}),
        .s_axis_tlast(s_axis_tlast),
        .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tready(s_axis_tready),
        .m_axis_tdata(port_tdata),
        .m_axis_tkeep(port_tkeep),
        .m_axis_tuser(port_tuser),
        .m_axis_tvalid(port_tvalid),
        .m_axis_tlast(port_tlast),
        .m_axis_tready(queue_tready[PORTS-1:0]),
        .dropped(pkt_dropped)
    );

@EACH @QUEUES@
    assign m_axis_@N@_tdata = queue_tdata[@N@*C_S_AXIS_DATA_WIDTH +: C_S_AXIS_DATA_WIDTH];
    assign m_axis_@N@_tkeep = queue_tkeep[@N@*C_S_AXIS_DATA_WIDTH/8 +: C_S_AXIS_DATA_WIDTH/8];
    assign m_axis_@N@_tuser = {96'd0, queue_tuser[@N@*32 +: 32]};
    assign m_axis_@N@_tvalid = queue_tvalid[@N@];
    assign m_axis_@N@_tlast = queue_tlast[@N@];
    assign queue_tready[@N@] = m_axis_@N@_tready;
@END@
endmodule

`default_nettype wire
