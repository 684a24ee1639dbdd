`timescale 1ns / 1ps
`default_nettype none

// The registers of a board, in the last 128 bytes of the 4 KiB that the host sees; all others are the service's.
//
// s comes from a master that has one access at a time and keeps the address until the answer: emu_axil_crossing.
//
//   0xF80  board_id         read only, "EMUB"
//   0xF84  time_low         reading keeps the high word; written, it waits for time_high
//   0xF88  time_high        writing it sets the clock to both words
//   0xF8C  time_step        nanoseconds of a cycle, times 2^24; 0 stops the clock
//   0xF90  frames_stamped   frames that have gone to the service
//   0xF94  frames_dropped   frames that an output queue had no room for, a count for each port
module emu_board_registers #(
    parameter [31:0] STEP = 32'd4 << 24
) (
    input  wire        clk,
    input  wire        resetn,

    input  wire [11:0] s_awaddr,
    input  wire        s_awvalid,
    output wire        s_awready,
    input  wire [31:0] s_wdata,
    input  wire [3:0]  s_wstrb,
    input  wire        s_wvalid,
    output wire        s_wready,
    output wire [1:0]  s_bresp,
    output wire        s_bvalid,
    input  wire        s_bready,
    input  wire [11:0] s_araddr,
    input  wire        s_arvalid,
    output wire        s_arready,
    output wire [31:0] s_rdata,
    output wire [1:0]  s_rresp,
    output wire        s_rvalid,
    input  wire        s_rready,

    output wire [11:0] m_awaddr,
    output wire        m_awvalid,
    input  wire        m_awready,
    output wire [31:0] m_wdata,
    output wire [3:0]  m_wstrb,
    output wire        m_wvalid,
    input  wire        m_wready,
    input  wire [1:0]  m_bresp,
    input  wire        m_bvalid,
    output wire        m_bready,
    output wire [11:0] m_araddr,
    output wire        m_arvalid,
    input  wire        m_arready,
    input  wire [31:0] m_rdata,
    input  wire [1:0]  m_rresp,
    input  wire        m_rvalid,
    output wire        m_rready,

    input  wire [63:0] now,
    output reg  [31:0] step,
    output reg         set_clock,
    output reg  [63:0] set_time,
    output reg         is_set,
    input  wire [31:0] frames_stamped,
    input  wire [31:0] frames_dropped
);
    localparam [4:0] OWN = 5'h1F;
    localparam [4:0] ID = 5'd0, TIME_LOW = 5'd1, TIME_HIGH = 5'd2, TIME_STEP = 5'd3, STAMPED = 5'd4, DROPPED = 5'd5;

    wire writes_own = s_awaddr[11:7] == OWN;
    wire reads_own = s_araddr[11:7] == OWN;

    reg        own_bvalid;
    reg        own_rvalid;
    reg [31:0] own_rdata;
    reg [31:0] kept_high;

    wire write = s_awvalid && s_wvalid && writes_own && !own_bvalid;
    wire read = s_arvalid && reads_own && !own_rvalid;
    wire unused_low = &{1'b0, s_awaddr[1:0], s_araddr[1:0]};

    assign m_awaddr = s_awaddr;
    assign m_awvalid = s_awvalid && !writes_own;
    assign m_wdata = s_wdata;
    assign m_wstrb = s_wstrb;
    assign m_wvalid = s_wvalid && !writes_own;
    assign m_bready = s_bready && !writes_own;
    assign m_araddr = s_araddr;
    assign m_arvalid = s_arvalid && !reads_own;
    assign m_rready = s_rready && !reads_own;

    assign s_awready = writes_own ? write : m_awready;
    assign s_wready = writes_own ? write : m_wready;
    assign s_bresp = writes_own ? 2'd0 : m_bresp;
    assign s_bvalid = writes_own ? own_bvalid : m_bvalid;
    assign s_arready = reads_own ? read : m_arready;
    assign s_rdata = reads_own ? own_rdata : m_rdata;
    assign s_rresp = reads_own ? 2'd0 : m_rresp;
    assign s_rvalid = reads_own ? own_rvalid : m_rvalid;

    always @(posedge clk) begin
        if (read) begin
            case (s_araddr[6:2])
                ID: own_rdata <= 32'h454D5542;
                TIME_LOW: own_rdata <= now[31:0];
                TIME_HIGH: own_rdata <= kept_high;
                TIME_STEP: own_rdata <= step;
                STAMPED: own_rdata <= frames_stamped;
                DROPPED: own_rdata <= frames_dropped;
                default: own_rdata <= 32'd0;
            endcase
            if (s_araddr[6:2] == TIME_LOW) kept_high <= now[63:32];
        end
        if (!resetn) begin
            own_bvalid <= 1'b0;
            own_rvalid <= 1'b0;
            set_clock <= 1'b0;
            is_set <= 1'b0;
            set_time <= 64'd0;
            step <= STEP;
        end else begin
            own_bvalid <= write || own_bvalid && !s_bready;
            own_rvalid <= read || own_rvalid && !s_rready;
            set_clock <= write && s_awaddr[6:2] == TIME_HIGH;
            if (set_clock) is_set <= 1'b1;
            if (write && s_awaddr[6:2] == TIME_LOW) set_time[31:0] <= s_wdata;
            if (write && s_awaddr[6:2] == TIME_HIGH) set_time[63:32] <= s_wdata;
            if (write && s_awaddr[6:2] == TIME_STEP) step <= s_wdata;
        end
    end
endmodule

`default_nettype wire
