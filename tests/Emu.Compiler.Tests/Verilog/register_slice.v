// Language: Verilog 2005

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Register slice: one word a cycle, one cycle of delay
 *
 * No path from out_ready to in_ready: the spare place takes the word that is on its way.
 */
module register_slice
(
    input  wire        axis_aclk,
    input  wire        axis_resetn,

    input  wire [31:0] in_data,
    input  wire        in_valid,
    input  wire        out_ready,
    input  wire [15:0] in_size,

    output wire        in_ready,
    output wire        out_valid,
    output wire [31:0] out_data,
    output wire [49:0] counters
);

wire clk = axis_aclk;
wire rst = !axis_resetn;

/*
 * Two places
 */
reg          out_valid_reg = 1'b0;
reg  [31:0]  out_data_reg = 32'd0;  // the word that is shown
reg          spare_valid_reg = 1'b0;
reg  [31:0]  spare_data_reg = 32'd0;  // the word that came when there was no room

wire         take = out_ready || !out_valid_reg;  // what is shown is taken, or nothing is
wire         out_valid_2 = spare_valid_reg || in_valid;

always @(posedge clk) begin
    spare_valid_reg <= !take && out_valid_2;
    if (take) begin
        out_valid_reg <= out_valid_2;
        out_data_reg <= spare_valid_reg ? spare_data_reg : in_data;
    end
    if (!spare_valid_reg) spare_data_reg <= in_data;
    if (rst) begin
        out_valid_reg <= 1'b0;
        spare_valid_reg <= 1'b0;
    end
end

/*
 * Counters
 */
reg  [15:0]  words_reg = 16'd0;  // counters.Words
reg  [31:0]  bytes_reg = 32'd0;  // counters.Bytes
reg  [1:0]   kind_reg = 2'd0;

wire         enters = in_valid && !spare_valid_reg;

always @(posedge clk) begin
    kind_reg <= in_data[15:0] == 16'h0800 ? 2'd1
              : in_data[15:0] == 16'h86DD ? 2'd2
              : in_data[31:16] == 16'h0806 ? 2'd3
              : 2'd0;
    if (enters) begin
        words_reg <= words_reg + 16'd1;
        bytes_reg <= bytes_reg + {20'd0, in_size[11:0]};
    end
    if (rst) begin
        words_reg <= 16'd0;
        bytes_reg <= 32'd0;
        kind_reg <= 2'd0;
    end
end

/*
 * Outputs
 */
assign in_ready = !spare_valid_reg;
assign out_valid = out_valid_reg;
assign out_data = out_data_reg;
assign counters = {kind_reg, bytes_reg, words_reg};

/*
 * Bits that nothing reads
 */
wire unused = &{1'b0, in_size[15:12]};

endmodule

`default_nettype wire
