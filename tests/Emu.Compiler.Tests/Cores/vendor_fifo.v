/*
 * A vendor's FIFO behind the ports of a method: XPM_FIFO_SYNC where XPM is defined, else a model of it
 *
 * Contract  A call pops first, then pushes. The result, and the number popped, are there a cycle later.
 */
module vendor_fifo
(
    input  wire        clk,
    input  wire        rst,
    input  wire        valid,
    input  wire        pops,
    input  wire        pushes,
    input  wire [31:0] number,
    output wire        result,
    output wire [31:0] popped
);

wire        full, empty;
wire [31:0] head;
wire        pop = valid && pops && !empty;
wire        push = valid && pushes && (!full || pop);

`ifdef XPM
xpm_fifo_sync #(
    .FIFO_WRITE_DEPTH(16), .WRITE_DATA_WIDTH(32), .READ_DATA_WIDTH(32), .READ_MODE("fwft"), .USE_ADV_FEATURES("0000")
) fifo (
    .wr_clk(clk), .rst(rst), .wr_en(push), .din(number), .full(full),
    .rd_en(pop), .dout(head), .empty(empty), .sleep(1'b0), .injectsbiterr(1'b0), .injectdbiterr(1'b0)
);
`else
reg  [31:0] words [0:15];
reg  [3:0]  first_reg = 4'd0;
reg  [4:0]  count_reg = 5'd0;

assign full = count_reg == 5'd16;
assign empty = count_reg == 5'd0;
assign head = words[first_reg];

always @(posedge clk) begin
    if (push) begin
        words[first_reg + count_reg[3:0]] <= number;
    end
    if (pop) begin
        first_reg <= first_reg + 4'd1;
    end
    count_reg <= count_reg + {4'd0, push} - {4'd0, pop};
    if (rst) begin
        first_reg <= 4'd0;
        count_reg <= 5'd0;
    end
end
`endif

reg         popped_reg = 1'b0;
reg  [31:0] number_reg = 32'd0;

always @(posedge clk) begin
    popped_reg <= pop && !rst;
    number_reg <= pop && !rst ? head : 32'd0;
end

assign result = popped_reg;
assign popped = number_reg;

endmodule
