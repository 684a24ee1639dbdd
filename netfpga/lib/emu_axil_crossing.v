`timescale 1ns / 1ps
`default_nettype none

// AXI4-Lite from one clock to another, or between two that are the same.
//
// One access at a time, by a handshake of two phases: s turns request over, m turns acknowledge over when it is done. An
// access and its answer stand still meanwhile; so only two bits cross, each through two flops, and the constraint is
// that what crosses arrives within a cycle of the clock it goes to. A read and a write that come together are done in
// turn, the write first.
//
// No reset touches request and acknowledge, so a reset of one side alone, at any time, is survived: m does again what
// it has not acknowledged, and s begins nothing before m has acknowledged what s has forgotten.
module emu_axil_crossing #(
    parameter ADDRESS_BITS = 12
) (
    input  wire                    s_clk,
    input  wire                    s_resetn,
    input  wire [ADDRESS_BITS-1:0] s_awaddr,
    input  wire                    s_awvalid,
    output wire                    s_awready,
    input  wire [31:0]             s_wdata,
    input  wire [3:0]              s_wstrb,
    input  wire                    s_wvalid,
    output wire                    s_wready,
    output wire [1:0]              s_bresp,
    output wire                    s_bvalid,
    input  wire                    s_bready,
    input  wire [ADDRESS_BITS-1:0] s_araddr,
    input  wire                    s_arvalid,
    output wire                    s_arready,
    output wire [31:0]             s_rdata,
    output wire [1:0]              s_rresp,
    output wire                    s_rvalid,
    input  wire                    s_rready,

    input  wire                    m_clk,
    input  wire                    m_resetn,
    output wire [ADDRESS_BITS-1:0] m_awaddr,
    output wire                    m_awvalid,
    input  wire                    m_awready,
    output wire [31:0]             m_wdata,
    output wire [3:0]              m_wstrb,
    output wire                    m_wvalid,
    input  wire                    m_wready,
    input  wire [1:0]              m_bresp,
    input  wire                    m_bvalid,
    output wire                    m_bready,
    output wire [ADDRESS_BITS-1:0] m_araddr,
    output wire                    m_arvalid,
    input  wire                    m_arready,
    input  wire [31:0]             m_rdata,
    input  wire [1:0]              m_rresp,
    input  wire                    m_rvalid,
    output wire                    m_rready
);
    // The access, in flops of s_clk.
    reg                    request = 1'b0;
    reg                    is_write;
    reg [ADDRESS_BITS-1:0] address;
    reg [31:0]             data;
    reg [3:0]              strobe;

    // The answer, in flops of m_clk.
    reg                    acknowledge = 1'b0;
    reg [31:0]             answer;
    reg [1:0]              response;

    (* ASYNC_REG = "TRUE" *) reg [1:0] acknowledge_seen = 2'b00;
    (* ASYNC_REG = "TRUE" *) reg [1:0] request_seen = 2'b00;

    // The side of s: waits for an access, for the acknowledge, for the answer to be taken.
    localparam IDLE = 2'd0, ASKED = 2'd1, ANSWERED = 2'd2;
    reg [1:0]  state;
    reg [31:0] kept_answer;
    reg [1:0]  kept_response;

    wire is_acknowledged = acknowledge_seen[1] == request;
    wire may_begin = state == IDLE && is_acknowledged && s_resetn;
    wire write = may_begin && s_awvalid && s_wvalid;
    wire read = may_begin && s_arvalid && !write;

    assign s_awready = write;
    assign s_wready = write;
    assign s_arready = read;
    assign s_bvalid = state == ANSWERED && is_write;
    assign s_rvalid = state == ANSWERED && !is_write;
    assign s_bresp = kept_response;
    assign s_rresp = kept_response;
    assign s_rdata = kept_answer;

    always @(posedge s_clk) begin
        acknowledge_seen <= {acknowledge_seen[0], acknowledge};
        if (write) begin
            address <= s_awaddr;
            data <= s_wdata;
            strobe <= s_wstrb;
        end
        if (read) address <= s_araddr;
        if (write || read) is_write <= write;
        if (write || read) request <= !request;
        if (state == ASKED && is_acknowledged) begin
            kept_answer <= answer;
            kept_response <= response;
        end
        if (!s_resetn) state <= IDLE;
        else case (state)
            IDLE: if (write || read) state <= ASKED;
            ASKED: if (is_acknowledged) state <= ANSWERED;
            default: if (is_write ? s_bready : s_rready) state <= IDLE;
        endcase
    end

    // The side of m.
    reg                    is_busy;
    reg                    writes;
    reg                    address_due;
    reg                    data_due;
    reg [ADDRESS_BITS-1:0] m_address;
    reg [31:0]             m_data;
    reg [3:0]              m_strobe;

    assign m_awaddr = m_address;
    assign m_araddr = m_address;
    assign m_wdata = m_data;
    assign m_wstrb = m_strobe;
    assign m_awvalid = is_busy && writes && address_due;
    assign m_wvalid = is_busy && writes && data_due;
    assign m_arvalid = is_busy && !writes && address_due;
    assign m_bready = is_busy && writes && !address_due && !data_due;
    assign m_rready = is_busy && !writes && !address_due;

    wire may_take = !is_busy && request_seen[1] != acknowledge;
    wire is_done = m_bvalid && m_bready || m_rvalid && m_rready;

    always @(posedge m_clk) begin
        request_seen <= {request_seen[0], request};
        if (may_take) begin
            m_address <= address;
            m_data <= data;
            m_strobe <= strobe;
            writes <= is_write;
        end
        if (m_bvalid && m_bready) response <= m_bresp;
        if (m_rvalid && m_rready) begin
            response <= m_rresp;
            answer <= m_rdata;
        end
        if (!m_resetn) begin
            is_busy <= 1'b0;
            address_due <= 1'b0;
            data_due <= 1'b0;
        end else begin
            if (may_take) begin
                is_busy <= 1'b1;
                address_due <= 1'b1;
                data_due <= is_write;
            end
            if (m_awvalid && m_awready || m_arvalid && m_arready) address_due <= 1'b0;
            if (m_wvalid && m_wready) data_due <= 1'b0;
            if (is_done) begin
                is_busy <= 1'b0;
                acknowledge <= !acknowledge;
            end
        end
    end
endmodule

`default_nettype wire
