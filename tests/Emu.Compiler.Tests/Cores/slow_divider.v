/*
 * A division bit by bit, from the dividend's highest one on: as many cycles as that has bits, and two more
 */
module slow_divider
(
    input  wire        clk,
    input  wire        rst,
    input  wire        valid,
    input  wire [31:0] dividend,
    input  wire [31:0] divisor,
    output wire [31:0] result,
    output wire [31:0] remainder,
    output wire        done
);

reg  [31:0] dividend_reg = 32'd0, divisor_reg = 32'd0, quotient_reg = 32'd0, rest_reg = 32'd0;
reg  [5:0]  left_reg = 6'd0;
reg         busy_reg = 1'b0, done_reg = 1'b0;
reg  [31:0] result_reg = 32'd0, remainder_reg = 32'd0;

wire [32:0] shifted = {rest_reg, dividend_reg[left_reg[4:0] - 5'd1]};
wire        fits = shifted >= {1'b0, divisor_reg};
wire [32:0] rest = fits ? shifted - {1'b0, divisor_reg} : shifted;

function [5:0] bits_of(input [31:0] value);
    integer i;
    begin
        bits_of = 6'd0;
        for (i = 0; i < 32; i = i + 1) begin
            if (value[i]) begin
                bits_of = i[5:0] + 6'd1;
            end
        end
    end
endfunction

always @(posedge clk) begin
    done_reg <= 1'b0;
    result_reg <= 32'd0;
    remainder_reg <= 32'd0;
    if (valid) begin
        dividend_reg <= dividend;
        divisor_reg <= divisor;
        quotient_reg <= 32'd0;
        rest_reg <= 32'd0;
        left_reg <= bits_of(dividend);
        busy_reg <= 1'b1;
    end else if (busy_reg && left_reg != 6'd0) begin
        quotient_reg <= {quotient_reg[30:0], fits};
        rest_reg <= rest[31:0];
        left_reg <= left_reg - 6'd1;
    end else if (busy_reg) begin
        busy_reg <= 1'b0;
        done_reg <= 1'b1;
        result_reg <= quotient_reg;
        remainder_reg <= rest_reg;
    end
    if (rst) begin
        busy_reg <= 1'b0;
        done_reg <= 1'b0;
        result_reg <= 32'd0;
        remainder_reg <= 32'd0;
    end
end

assign result = result_reg;
assign remainder = remainder_reg;
assign done = done_reg;

wire unused = &{1'b0, rest[32]};

endmodule
