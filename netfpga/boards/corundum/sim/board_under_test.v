`timescale 1ns / 1ps
`default_nettype none

// The application block between the bench's ports: first the MACs, then the host's side of each.
//
// Tags are checked here: each frame of the host has the next number, and each has to be completed, in order.
module board_under_test (
    input  wire                   clk,
    input  wire                   axil_clk,
    input  wire                   resetn,
    output wire                   is_ready,
    input  wire [@PORTS@*512-1:0] s_tdata,
    input  wire [@PORTS@*64-1:0]  s_tkeep,
    input  wire [@PORTS@*128-1:0] s_tuser,
    input  wire [@PORTS@-1:0]     s_tlast,
    input  wire [@PORTS@-1:0]     s_tvalid,
    output wire [@PORTS@-1:0]     s_tready,
    output wire [@PORTS@*512-1:0] m_tdata,
    output wire [@PORTS@*64-1:0]  m_tkeep,
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
    localparam PORTS = @PORTS@, HALF = PORTS / 2;

    assign is_ready = resetn;

    // Frames that have gone to the service, and those that an output queue had no room for.
    assign stamped = block.datapath.frames_stamped;
    assign queue_drops = block.frames_dropped;

    wire [17*HALF-1:0] host_user;
    wire [97*HALF-1:0] line_user;
    wire [17*HALF-1:0] to_line_user;
    wire [97*HALF-1:0] to_host_user;
    wire [16*HALF-1:0] completed_tag;
    wire [HALF-1:0]    completed;
    wire               unused_bench = &{1'b0, axil_clk, s_tuser, to_line_user, to_host_user};

    assign m_tuser = 0;

    genvar g;
    generate
        for (g = 0; g < HALF; g = g + 1) begin : port
            reg [15:0] next_tag;
            reg [15:0] next_completed;
            assign host_user[17*g +: 17] = {next_tag, 1'b0};
            assign line_user[97*g +: 97] = 97'd0;

            always @(posedge clk) begin
                if (!resetn) begin
                    next_tag <= 16'd1;
                    next_completed <= 16'd1;
                end else begin
                    if (s_tvalid[HALF+g] && s_tready[HALF+g] && s_tlast[HALF+g]) next_tag <= next_tag + 1'b1;
                    if (completed[g]) begin
                        next_completed <= next_completed + 1'b1;
                        if (completed_tag[16*g +: 16] != next_completed || next_completed == next_tag) begin
                            $display("FAIL a tag is completed that is not awaited");
                            $finish;
                        end
                    end
                end
            end
        end
    endgenerate

    // Ports that are not named are not used, and no input of theirs is looked at.
    /* verilator lint_off PINMISSING */
    mqnic_app_block #(.IF_COUNT(HALF), .PORTS_PER_IF(1)) block (
        .clk(clk),
        .rst(!resetn),
        .s_axil_app_ctrl_awaddr(awaddr[15:0]),
        .s_axil_app_ctrl_awprot(3'd0),
        .s_axil_app_ctrl_awvalid(awvalid),
        .s_axil_app_ctrl_awready(awready),
        .s_axil_app_ctrl_wdata(wdata),
        .s_axil_app_ctrl_wstrb(4'hF),
        .s_axil_app_ctrl_wvalid(wvalid),
        .s_axil_app_ctrl_wready(wready),
        .s_axil_app_ctrl_bresp(bresp),
        .s_axil_app_ctrl_bvalid(bvalid),
        .s_axil_app_ctrl_bready(bready),
        .s_axil_app_ctrl_araddr(araddr[15:0]),
        .s_axil_app_ctrl_arprot(3'd0),
        .s_axil_app_ctrl_arvalid(arvalid),
        .s_axil_app_ctrl_arready(arready),
        .s_axil_app_ctrl_rdata(rdata),
        .s_axil_app_ctrl_rresp(rresp),
        .s_axil_app_ctrl_rvalid(rvalid),
        .s_axil_app_ctrl_rready(rready),
        .ptp_sync_ts_tod(96'd0),
        .s_axis_sync_tx_tdata(s_tdata[512*HALF +: 512*HALF]),
        .s_axis_sync_tx_tkeep(s_tkeep[64*HALF +: 64*HALF]),
        .s_axis_sync_tx_tvalid(s_tvalid[1*HALF +: 1*HALF]),
        .s_axis_sync_tx_tready(s_tready[1*HALF +: 1*HALF]),
        .s_axis_sync_tx_tlast(s_tlast[1*HALF +: 1*HALF]),
        .s_axis_sync_tx_tuser(host_user),
        .m_axis_sync_tx_tdata(m_tdata[0 +: 512*HALF]),
        .m_axis_sync_tx_tkeep(m_tkeep[0 +: 64*HALF]),
        .m_axis_sync_tx_tvalid(m_tvalid[0 +: 1*HALF]),
        .m_axis_sync_tx_tready(m_tready[0 +: 1*HALF]),
        .m_axis_sync_tx_tlast(m_tlast[0 +: 1*HALF]),
        .m_axis_sync_tx_tuser(to_line_user),
        .m_axis_sync_tx_cpl_tag(completed_tag),
        .m_axis_sync_tx_cpl_valid(completed),
        .m_axis_sync_tx_cpl_ready({HALF{1'b1}}),
        .s_axis_sync_rx_tdata(s_tdata[0 +: 512*HALF]),
        .s_axis_sync_rx_tkeep(s_tkeep[0 +: 64*HALF]),
        .s_axis_sync_rx_tvalid(s_tvalid[0 +: 1*HALF]),
        .s_axis_sync_rx_tready(s_tready[0 +: 1*HALF]),
        .s_axis_sync_rx_tlast(s_tlast[0 +: 1*HALF]),
        .s_axis_sync_rx_tuser(line_user),
        .m_axis_sync_rx_tdata(m_tdata[512*HALF +: 512*HALF]),
        .m_axis_sync_rx_tkeep(m_tkeep[64*HALF +: 64*HALF]),
        .m_axis_sync_rx_tvalid(m_tvalid[1*HALF +: 1*HALF]),
        .m_axis_sync_rx_tready(m_tready[1*HALF +: 1*HALF]),
        .m_axis_sync_rx_tlast(m_tlast[1*HALF +: 1*HALF]),
        .m_axis_sync_rx_tuser(to_host_user)
    );
    /* verilator lint_on PINMISSING */
endmodule

`default_nettype wire
