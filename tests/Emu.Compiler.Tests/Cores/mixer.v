/*
 * A hash of 64 bits in three stages: a call a cycle, its result three cycles later
 */
module mixer
(
    input  wire        clk,
    input  wire        rst,
    input  wire        valid,
    input  wire [63:0] value,
    output wire [63:0] result
);

reg [63:0] shifted_reg = 64'd0, multiplied_reg = 64'd0, mixed_reg = 64'd0;

reg        valid_1_reg = 1'b0, valid_2_reg = 1'b0;

always @(posedge clk) begin
    valid_1_reg <= valid && !rst;
    valid_2_reg <= valid_1_reg && !rst;
    shifted_reg <= value ^ (value >> 31);
    multiplied_reg <= shifted_reg * 64'h9E3779B97F4A7C15;
    mixed_reg <= multiplied_reg ^ (multiplied_reg >> 29);
    if (!valid_2_reg || rst) begin
        mixed_reg <= 64'd0;
    end
end

assign result = mixed_reg;

endmodule
