/*
 * A hash table in block RAM: a place for each hash, in which the last key stays with its number
 *
 * Contract  A call puts a number under a key, and gives the one that was there under it.
 *           The result is there three cycles later; a call a cycle; reset takes 1,024 cycles.
 */
module swap_table
(
    input  wire        clk,
    input  wire        rst,
    input  wire        valid,
    input  wire [31:0] key,
    input  wire [31:0] number,
    output wire        result,
    output wire [31:0] previous
);

reg  [64:0] entries [0:1023];
reg  [9:0]  clear_reg = 10'd0;

wire [9:0]  index = key[9:0] ^ key[19:10] ^ key[29:20];

// A word is read in the first cycle and written at the end of the second.
reg         valid_1_reg = 1'b0;
reg  [9:0]  index_1_reg = 10'd0;
reg  [31:0] key_1_reg = 32'd0, number_1_reg = 32'd0;
reg  [64:0] read_reg = 65'd0;

reg         valid_2_reg = 1'b0;
reg  [9:0]  index_2_reg = 10'd0;
reg  [64:0] word_2_reg = 65'd0;
reg  [31:0] key_2_reg = 32'd0;
reg  [64:0] old_2_reg = 65'd0;

reg         found_reg = 1'b0;
reg  [31:0] before_reg = 32'd0;

// A call in the cycle before has not been written when this one was read.
wire [64:0] word = valid_2_reg && index_2_reg == index_1_reg ? word_2_reg : read_reg;

always @(posedge clk) begin
    read_reg <= entries[index];
    if (rst) begin
        entries[clear_reg] <= 65'd0;
    end else if (valid_1_reg) begin
        entries[index_1_reg] <= {1'b1, key_1_reg, number_1_reg};
    end
end

wire        is_known = valid_2_reg && !rst && old_2_reg[64] && old_2_reg[63:32] == key_2_reg;

always @(posedge clk) begin
    clear_reg <= clear_reg + 10'd1;

    valid_1_reg <= valid;
    index_1_reg <= index;
    key_1_reg <= key;
    number_1_reg <= number;

    valid_2_reg <= valid_1_reg;
    index_2_reg <= index_1_reg;
    word_2_reg <= {1'b1, key_1_reg, number_1_reg};
    key_2_reg <= key_1_reg;
    old_2_reg <= word;

    found_reg <= is_known;
    before_reg <= is_known ? old_2_reg[31:0] : 32'd0;

    if (rst) begin
        valid_1_reg <= 1'b0;
        valid_2_reg <= 1'b0;
    end
end

assign result = found_reg;
assign previous = before_reg;

wire unused = &{1'b0, key[31:30]};

endmodule
