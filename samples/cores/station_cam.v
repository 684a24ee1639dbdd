/*
 * A content-addressable memory of stations, written and then looked up by each call
 *
 * Contract  A call learns source at port_of_source, in its own entry, else in the next one; then looks for
 *           destination. The result is there two cycles later; a call a cycle.
 */
module station_cam
(
    input  wire        clk,
    input  wire        rst,
    input  wire        valid,
    input  wire        learns,
    input  wire [47:0] source,
    input  wire [7:0]  port_of_source,
    input  wire [47:0] destination,
    output wire        result,
    output wire [7:0]  port_of_destination
);

localparam ENTRIES = 16;

reg  [3:0]         next_reg = 4'd0;
reg                valid_1_reg = 1'b0;
reg  [47:0]        wanted_reg = 48'd0;
reg                found_reg = 1'b0;
reg  [7:0]         port_reg = 8'd0;

wire [ENTRIES-1:0] own, match;
wire [8*ENTRIES-1:0] ports;
wire               is_new = own == {ENTRIES{1'b0}};

// The first cycle writes, the second compares with what is there then.
genvar i;
generate
    for (i = 0; i < ENTRIES; i = i + 1) begin : entry
        reg        used_reg = 1'b0;
        reg [47:0] key_reg = 48'd0;
        reg [7:0]  where_reg = 8'd0;

        assign own[i] = used_reg && key_reg == source;
        assign match[i] = used_reg && key_reg == wanted_reg;
        assign ports[8*i +: 8] = where_reg;

        always @(posedge clk) begin
            if (valid && learns && (own[i] || (is_new && next_reg == i))) begin
                used_reg <= 1'b1;
                key_reg <= source;
                where_reg <= port_of_source;
            end
            if (rst) begin
                used_reg <= 1'b0;
            end
        end
    end
endgenerate

reg  [7:0]         matched;
integer            k;

always @* begin
    matched = 8'd0;
    for (k = 0; k < ENTRIES; k = k + 1) begin
        matched = matched | (ports[8*k +: 8] & {8{match[k]}});
    end
end

always @(posedge clk) begin
    valid_1_reg <= valid && !rst;
    wanted_reg <= destination;
    found_reg <= match != {ENTRIES{1'b0}};
    port_reg <= matched;
    if (valid && learns && is_new) begin
        next_reg <= next_reg + 4'd1;
    end
    if (!valid_1_reg || rst) begin
        found_reg <= 1'b0;
        port_reg <= 8'd0;
    end
    if (rst) begin
        next_reg <= 4'd0;
    end
end

assign result = found_reg;
assign port_of_destination = port_reg;

endmodule
