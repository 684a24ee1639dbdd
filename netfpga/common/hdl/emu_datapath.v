`timescale 1ns / 1ps
`default_nettype none

// @SERVICE@ with a clock of its own and registers on the clock of the bus: a stream of frames in, one out.
//
// tuser of a frame's first beat: [15:0] bytes, [23:16] source port, [31:24] destination ports, one-hot, bit 2 i is MAC
// port i. The time of arrival is put into [95:32] here.
module emu_datapath #(
    parameter EXTERNAL_TIME = 0
) (
    input  wire         clk,
    input  wire         resetn,
    input  wire [63:0]  external_time,
    input  wire [31:0]  frames_dropped,
    output wire [63:0]  now,

    input  wire [@DATA_TOP@:0] s_axis_tdata,
    input  wire [@KEEP_TOP@:0] s_axis_tkeep,
    input  wire [127:0] s_axis_tuser,
    input  wire         s_axis_tlast,
    input  wire         s_axis_tvalid,
    output wire         s_axis_tready,

    output wire [@DATA_TOP@:0] m_axis_tdata,
    output wire [@KEEP_TOP@:0] m_axis_tkeep,
    output wire [127:0] m_axis_tuser,
    output wire         m_axis_tlast,
    output wire         m_axis_tvalid,
    input  wire         m_axis_tready,

    input  wire         axil_clk,
    input  wire         axil_resetn,
    input  wire [11:0]  s_axil_awaddr,
    input  wire         s_axil_awvalid,
    output wire         s_axil_awready,
    input  wire [31:0]  s_axil_wdata,
    input  wire [3:0]   s_axil_wstrb,
    input  wire         s_axil_wvalid,
    output wire         s_axil_wready,
    output wire [1:0]   s_axil_bresp,
    output wire         s_axil_bvalid,
    input  wire         s_axil_bready,
    input  wire [11:0]  s_axil_araddr,
    input  wire         s_axil_arvalid,
    output wire         s_axil_arready,
    output wire [31:0]  s_axil_rdata,
    output wire [1:0]   s_axil_rresp,
    output wire         s_axil_rvalid,
    input  wire         s_axil_rready
);
    wire [11:0] crossed_awaddr;
    wire crossed_awvalid;
    wire crossed_awready;
    wire [31:0] crossed_wdata;
    wire [3:0] crossed_wstrb;
    wire crossed_wvalid;
    wire crossed_wready;
    wire [1:0] crossed_bresp;
    wire crossed_bvalid;
    wire crossed_bready;
    wire [11:0] crossed_araddr;
    wire crossed_arvalid;
    wire crossed_arready;
    wire [31:0] crossed_rdata;
    wire [1:0] crossed_rresp;
    wire crossed_rvalid;
    wire crossed_rready;

    wire [11:0] core_awaddr;
    wire core_awvalid;
    wire core_awready;
    wire [31:0] core_wdata;
    wire [3:0] core_wstrb;
    wire core_wvalid;
    wire core_wready;
    wire [1:0] core_bresp;
    wire core_bvalid;
    wire core_bready;
    wire [11:0] core_araddr;
    wire core_arvalid;
    wire core_arready;
    wire [31:0] core_rdata;
    wire [1:0] core_rresp;
    wire core_rvalid;
    wire core_rready;

    wire [31:0] step;
    wire        set_clock;
    wire [63:0] set_time;
    wire        is_set;
    wire [31:0] frames_stamped;
    wire [63:0] counted_time;

    wire [@DATA_TOP@:0] stamped_tdata;
    wire [@KEEP_TOP@:0] stamped_tkeep;
    wire [127:0] stamped_tuser;
    wire stamped_tlast;
    wire stamped_tvalid;
    wire stamped_tready;

    wire [63:0] shifted_time;
    wire        shows_set_time;
    assign now = EXTERNAL_TIME != 0 ? shifted_time : counted_time;

    emu_shifted_clock shifted_clock (
        .clk(clk),
        .resetn(resetn),
        .external_time(external_time),
        .set_clock(set_clock),
        .set_time(set_time),
        .is_set(is_set),
        .now(shifted_time),
        .shows_set_time(shows_set_time)
    );

    emu_axil_crossing #(.ADDRESS_BITS(12)) crossing (
        .s_clk(axil_clk),
        .s_resetn(axil_resetn),
        .s_awaddr(s_axil_awaddr),
        .s_awvalid(s_axil_awvalid),
        .s_awready(s_axil_awready),
        .s_wdata(s_axil_wdata),
        .s_wstrb(s_axil_wstrb),
        .s_wvalid(s_axil_wvalid),
        .s_wready(s_axil_wready),
        .s_bresp(s_axil_bresp),
        .s_bvalid(s_axil_bvalid),
        .s_bready(s_axil_bready),
        .s_araddr(s_axil_araddr),
        .s_arvalid(s_axil_arvalid),
        .s_arready(s_axil_arready),
        .s_rdata(s_axil_rdata),
        .s_rresp(s_axil_rresp),
        .s_rvalid(s_axil_rvalid),
        .s_rready(s_axil_rready),
        .m_awaddr(crossed_awaddr),
        .m_awvalid(crossed_awvalid),
        .m_awready(crossed_awready),
        .m_wdata(crossed_wdata),
        .m_wstrb(crossed_wstrb),
        .m_wvalid(crossed_wvalid),
        .m_wready(crossed_wready),
        .m_bresp(crossed_bresp),
        .m_bvalid(crossed_bvalid),
        .m_bready(crossed_bready),
        .m_araddr(crossed_araddr),
        .m_arvalid(crossed_arvalid),
        .m_arready(crossed_arready),
        .m_rdata(crossed_rdata),
        .m_rresp(crossed_rresp),
        .m_rvalid(crossed_rvalid),
        .m_rready(crossed_rready),
        .m_clk(clk),
        .m_resetn(resetn)
    );

    emu_board_registers #(.STEP(32'd@STEP@)) registers (
        .clk(clk),
        .resetn(resetn),
        .s_awaddr(crossed_awaddr),
        .s_awvalid(crossed_awvalid),
        .s_awready(crossed_awready),
        .s_wdata(crossed_wdata),
        .s_wstrb(crossed_wstrb),
        .s_wvalid(crossed_wvalid),
        .s_wready(crossed_wready),
        .s_bresp(crossed_bresp),
        .s_bvalid(crossed_bvalid),
        .s_bready(crossed_bready),
        .s_araddr(crossed_araddr),
        .s_arvalid(crossed_arvalid),
        .s_arready(crossed_arready),
        .s_rdata(crossed_rdata),
        .s_rresp(crossed_rresp),
        .s_rvalid(crossed_rvalid),
        .s_rready(crossed_rready),
        .m_awaddr(core_awaddr),
        .m_awvalid(core_awvalid),
        .m_awready(core_awready),
        .m_wdata(core_wdata),
        .m_wstrb(core_wstrb),
        .m_wvalid(core_wvalid),
        .m_wready(core_wready),
        .m_bresp(core_bresp),
        .m_bvalid(core_bvalid),
        .m_bready(core_bready),
        .m_araddr(core_araddr),
        .m_arvalid(core_arvalid),
        .m_arready(core_arready),
        .m_rdata(core_rdata),
        .m_rresp(core_rresp),
        .m_rvalid(core_rvalid),
        .m_rready(core_rready),
        .now(now),
        .step(step),
        .set_clock(set_clock),
        .set_time(set_time),
        .is_set(is_set),
        .frames_stamped(frames_stamped),
        .frames_dropped(frames_dropped)
    );

    emu_clock clock (
        .clk(clk),
        .resetn(resetn),
        .step(step),
        .set_clock(set_clock),
        .set_time(set_time),
        .now(counted_time)
    );

    emu_time_stamper #(.DATA_BITS(@DATA_BITS@), .SILENCE(@SILENCE@)) stamper (
        .clk(clk),
        .resetn(resetn),
        .now(now),
        .begin_run(EXTERNAL_TIME != 0 ? shows_set_time : is_set),
        .frames(frames_stamped),
        .s_axis_tdata(s_axis_tdata),
        .s_axis_tkeep(s_axis_tkeep),
        .s_axis_tuser(s_axis_tuser),
        .s_axis_tlast(s_axis_tlast),
        .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tready(s_axis_tready),
        .m_axis_tdata(stamped_tdata),
        .m_axis_tkeep(stamped_tkeep),
        .m_axis_tuser(stamped_tuser),
        .m_axis_tlast(stamped_tlast),
        .m_axis_tvalid(stamped_tvalid),
        .m_axis_tready(stamped_tready)
    );

    @CORE@ core (
        .axis_aclk(clk),
        .axis_resetn(resetn),
        .s_axis_tdata(stamped_tdata),
        .s_axis_tkeep(stamped_tkeep),
        .s_axis_tuser(stamped_tuser),
        .s_axis_tlast(stamped_tlast),
        .s_axis_tvalid(stamped_tvalid),
        .s_axis_tready(stamped_tready),
        .m_axis_tdata(m_axis_tdata),
        .m_axis_tkeep(m_axis_tkeep),
        .m_axis_tuser(m_axis_tuser),
        .m_axis_tlast(m_axis_tlast),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .s_axi_awaddr(core_awaddr),
        .s_axi_awvalid(core_awvalid),
        .s_axi_awready(core_awready),
        .s_axi_wdata(core_wdata),
        .s_axi_wstrb(core_wstrb),
        .s_axi_wvalid(core_wvalid),
        .s_axi_wready(core_wready),
        .s_axi_bresp(core_bresp),
        .s_axi_bvalid(core_bvalid),
        .s_axi_bready(core_bready),
        .s_axi_araddr(core_araddr),
        .s_axi_arvalid(core_arvalid),
        .s_axi_arready(core_arready),
        .s_axi_rdata(core_rdata),
        .s_axi_rresp(core_rresp),
        .s_axi_rvalid(core_rvalid),
        .s_axi_rready(core_rready)
    );
endmodule

`default_nettype wire
