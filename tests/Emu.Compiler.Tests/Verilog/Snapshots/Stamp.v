// Language: Verilog 2005

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Stamp
 * Layout     engine: a frame at a time, received into RAM, worked on there, sent; 64-bit bus.
 * Interface  s_axis, m_axis: byte 0 of a frame is tdata[7:0]; tuser of the first beat: [15:0] length, [23:16] source port,
 *            [31:24] destination ports, a bit each, the even ones MAC ports; [95:32] time of arrival in nanoseconds.
 *            s_axi: registers, see the report.
 * Order      as if each frame was handled alone, in order of arrival.
 * Stalls     s_axis_tready and all m_axis outputs are registers.
 */
module stamp
(
    input  wire         axis_aclk,
    input  wire         axis_resetn,

    input  wire [63:0]  s_axis_tdata,
    input  wire [7:0]   s_axis_tkeep,
    input  wire         s_axis_tvalid,
    input  wire         s_axis_tlast,
    input  wire [127:0] s_axis_tuser,
    input  wire         m_axis_tready,
    input  wire [11:0]  s_axi_awaddr,
    input  wire         s_axi_awvalid,
    input  wire [31:0]  s_axi_wdata,
    input  wire [3:0]   s_axi_wstrb,
    input  wire         s_axi_wvalid,
    input  wire         s_axi_bready,
    input  wire [11:0]  s_axi_araddr,
    input  wire         s_axi_arvalid,
    input  wire         s_axi_rready,

    output wire         s_axis_tready,
    output wire [63:0]  m_axis_tdata,
    output wire [7:0]   m_axis_tkeep,
    output wire         m_axis_tvalid,
    output wire         m_axis_tlast,
    output wire [127:0] m_axis_tuser,
    output wire         s_axi_awready,
    output wire         s_axi_wready,
    output wire [1:0]   s_axi_bresp,
    output wire         s_axi_bvalid,
    output wire         s_axi_arready,
    output wire [31:0]  s_axi_rdata,
    output wire [1:0]   s_axi_rresp,
    output wire         s_axi_rvalid
);

wire clk = axis_aclk;
wire rst = !axis_resetn;

function [3:0] ones_8(input [7:0] value);
    integer i;
    reg [7:0] count;
    begin
        count = value;
        for (i = 0; i < 8; i = i + 2) begin
            count[i +: 2] = {1'b0, count[i+1]} + {1'b0, count[i]};
        end
        for (i = 0; i < 8; i = i + 4) begin
            count[i +: 4] = {2'd0, count[i+2 +: 2]} + {2'd0, count[i +: 2]};
        end
        for (i = 0; i < 8; i = i + 8) begin
            count[i +: 8] = {5'd0, count[i+4 +: 3]} + {5'd0, count[i +: 3]};
        end
        ones_8 = count[3:0];
    end
endfunction

/*
 * AXI4-Lite registers
 */
reg  [6:0]   clear_index_reg = 7'd0;
reg          clear_reg = 1'b1;  // memories are set to what the constructor left
reg          counter_shown_reg = 1'b0;
reg  [31:0]  counter_low_reg = 32'd0;
reg  [31:0]  counter_high_reg = 32'd0;

reg          control_reset_reg = 1'b0;  // a write to 0x08: back to what the constructor left, between two frames
reg          write_ready_reg = 1'b0;
reg          response_valid_reg = 1'b0;
reg  [7:0]   complement_0_reg = 8'd0;
reg  [7:0]   complement_1_reg = 8'd0;
reg  [7:0]   complement_2_reg = 8'd0;
reg  [7:0]   complement_3_reg = 8'd0;
reg          read_ready_reg = 1'b0;
reg          read_looks_reg = 1'b0;  // an address is taken, its word is not there yet
reg          read_valid_reg = 1'b0;
reg  [9:0]   read_address_reg = 10'd0;
reg  [31:0]  high_word_reg = 32'd0;
reg  [31:0]  read_data_reg = 32'd0;

wire         control_reset_all = clear_reg && clear_index_reg == 7'd127;
wire         control_reset_all_2 = write_ready_reg && s_axi_awaddr[11:2] == 10'd2 && s_axi_wstrb[0] && s_axi_wdata[0];
wire         complement_0_all = write_ready_reg && s_axi_awaddr[11:2] == 10'd3;
wire         read_is_counter_equal = read_address_reg == 10'd6;
wire         read_is_counter_equal_2 = read_address_reg == 10'd7;
wire         read_is_counter = read_address_reg == 10'd5 || read_is_counter_equal || read_is_counter_equal_2;
wire         read_has_all = read_looks_reg && read_is_counter;
wire         read_has = read_looks_reg && ((read_has_all && counter_shown_reg) || !read_is_counter);
wire [31:0]  read_data_bits = {complement_3_reg, complement_2_reg, complement_1_reg, complement_0_reg};

always @(posedge clk) begin
    control_reset_reg <= control_reset_all_2 || (control_reset_reg && !control_reset_all);
    write_ready_reg <= s_axi_awvalid && s_axi_wvalid && !write_ready_reg && !response_valid_reg;
    response_valid_reg <= write_ready_reg || (response_valid_reg && !s_axi_bready);
    read_ready_reg <= s_axi_arvalid && !(read_ready_reg || read_looks_reg || read_valid_reg);
    read_looks_reg <= read_ready_reg || (read_looks_reg && !read_has);
    read_valid_reg <= read_has || (read_valid_reg && !s_axi_rready);

    if (complement_0_all && s_axi_wstrb[0]) begin
        complement_0_reg <= s_axi_wdata[7:0];
    end

    if (complement_0_all && s_axi_wstrb[1]) begin
        complement_1_reg <= s_axi_wdata[15:8];
    end

    if (complement_0_all && s_axi_wstrb[2]) begin
        complement_2_reg <= s_axi_wdata[23:16];
    end

    if (complement_0_all && s_axi_wstrb[3]) begin
        complement_3_reg <= s_axi_wdata[31:24];
    end

    if (read_ready_reg) begin
        read_address_reg <= s_axi_araddr[11:2];
    end

    if (read_has && read_is_counter) begin
        high_word_reg <= counter_high_reg;
    end

    if (read_has) begin
        read_data_reg <= (read_address_reg == 10'd0 ? 32'h5354414D : 32'd0)
                         | (read_address_reg == 10'd1 ? 32'h00010000 : 32'd0)
                         | (read_address_reg == 10'd3 ? ~read_data_bits : 32'd0)
                         | (read_is_counter ? counter_low_reg : 32'd0);
    end

    if (rst) begin
        control_reset_reg <= 1'b0;
        write_ready_reg <= 1'b0;
        response_valid_reg <= 1'b0;
        complement_0_reg <= 8'd0;
        complement_1_reg <= 8'd0;
        complement_2_reg <= 8'd0;
        complement_3_reg <= 8'd0;
        read_ready_reg <= 1'b0;
        read_looks_reg <= 1'b0;
        read_valid_reg <= 1'b0;
        read_address_reg <= 10'd0;
        high_word_reg <= 32'd0;
        read_data_reg <= 32'd0;
    end
end

/*
 * frame: a RAM for each byte of a beat
 */
reg          transmit_reg = 1'b0;
reg  [7:0]   transmit_row_reg = 8'd0;
wire         accept;
reg  [7:0]   row_reg = 8'd0;  // where the next beat goes
reg          state_reg = 1'b0;
wire [7:0]   numbers_read;
reg          too_long_reg = 1'b0;
reg  [11:0]  length_reg = 12'd0;  // bytes received
reg  [127:0] user_reg = 128'd0;  // tuser of the first beat
reg          admit_reg = 1'b0;  // the frame is there

(* ram_style = "distributed" *)
reg  [7:0]   frame_0 [0:255];

initial begin : frame_0_initial
    integer i;

    for (i = 0; i < 256; i = i + 1) begin
        frame_0[i] = 8'd0;
    end
end
(* ram_style = "distributed" *)
reg  [7:0]   frame_1 [0:255];

initial begin : frame_1_initial
    integer i;

    for (i = 0; i < 256; i = i + 1) begin
        frame_1[i] = 8'd0;
    end
end
(* ram_style = "distributed" *)
reg  [7:0]   frame_2 [0:255];

initial begin : frame_2_initial
    integer i;

    for (i = 0; i < 256; i = i + 1) begin
        frame_2[i] = 8'd0;
    end
end
(* ram_style = "distributed" *)
reg  [7:0]   frame_3 [0:255];

initial begin : frame_3_initial
    integer i;

    for (i = 0; i < 256; i = i + 1) begin
        frame_3[i] = 8'd0;
    end
end
(* ram_style = "distributed" *)
reg  [7:0]   frame_4 [0:255];

initial begin : frame_4_initial
    integer i;

    for (i = 0; i < 256; i = i + 1) begin
        frame_4[i] = 8'd0;
    end
end
(* ram_style = "distributed" *)
reg  [7:0]   frame_5 [0:255];

initial begin : frame_5_initial
    integer i;

    for (i = 0; i < 256; i = i + 1) begin
        frame_5[i] = 8'd0;
    end
end
(* ram_style = "distributed" *)
reg  [7:0]   frame_6 [0:255];

initial begin : frame_6_initial
    integer i;

    for (i = 0; i < 256; i = i + 1) begin
        frame_6[i] = 8'd0;
    end
end
(* ram_style = "distributed" *)
reg  [7:0]   frame_7 [0:255];

initial begin : frame_7_initial
    integer i;

    for (i = 0; i < 256; i = i + 1) begin
        frame_7[i] = 8'd0;
    end
end

wire [10:0]  frame_offset = {transmit_reg ? transmit_row_reg : 8'd0, 3'd0};  // where the bytes begin that are read
wire [7:0]   frame_0_selected = accept ? row_reg : 8'd0;
wire [7:0]   frame_0_read_sum = frame_offset[10:3] + 8'd1;
wire [7:0]   frame_0_read_selected = frame_offset[2:0] == 3'd0 ? frame_offset[10:3] : frame_0_read_sum;
wire [7:0]   frame_0_read = frame_0[frame_0_read_selected];
wire [7:0]   frame_1_read_selected = frame_offset[2:1] == 2'd0 ? frame_offset[10:3] : frame_0_read_sum;
wire [7:0]   frame_1_read = frame_1[frame_1_read_selected];
wire [7:0]   frame_2_read_selected = frame_offset[2:0] > 3'd2 ? frame_0_read_sum : frame_offset[10:3];
wire [7:0]   frame_2_read = frame_2[frame_2_read_selected];
wire [7:0]   frame_3_read = frame_3[frame_offset[2] ? frame_0_read_sum : frame_offset[10:3]];
wire [7:0]   frame_4_read_selected = frame_offset[2:0] > 3'd4 ? frame_0_read_sum : frame_offset[10:3];
wire [7:0]   frame_4_read = frame_4[frame_4_read_selected];
wire [7:0]   frame_5_read_selected = frame_offset[2:0] > 3'd5 ? frame_0_read_sum : frame_offset[10:3];
wire [7:0]   frame_5_read = frame_5[frame_5_read_selected];
wire [7:0]   frame_6_read_selected = frame_offset[2:0] > 3'd6 ? frame_0_read_sum : frame_offset[10:3];
wire [7:0]   frame_6_read = frame_6[frame_6_read_selected];
wire [7:0]   frame_7_read = frame_7[frame_offset[10:3]];
wire [7:0]   frame_byte_12 = frame_4[8'd1];
wire [7:0]   frame_byte_13 = frame_5[8'd1];
wire         admitted_any = (frame_byte_12 == 8'd129 && frame_byte_13 == 8'd0)
                            || (frame_byte_12 == 8'd136 && frame_byte_13 == 8'd168);
wire         admitted_all = !too_long_reg && (admitted_any ? 12'h5EE : 12'h5EA) >= length_reg && length_reg >= 12'd14
                            && (user_reg[23:16] & 8'd85) != 8'd0;
wire         admitted = admit_reg && admitted_all;
wire         refused = admit_reg && !admitted_all;

always @(posedge clk) begin
    if (accept) begin
        frame_0[frame_0_selected] <= accept ? s_axis_tdata[7:0] : 8'd0;
    end
end

always @(posedge clk) begin
    if (accept) begin
        frame_1[frame_0_selected] <= accept ? s_axis_tdata[15:8] : 8'd0;
    end
end

always @(posedge clk) begin
    if (accept) begin
        frame_2[frame_0_selected] <= accept ? s_axis_tdata[23:16] : 8'd0;
    end
end

always @(posedge clk) begin
    if (accept) begin
        frame_3[frame_0_selected] <= accept ? s_axis_tdata[31:24] : 8'd0;
    end
end

always @(posedge clk) begin
    if (accept) begin
        frame_4[frame_0_selected] <= accept ? s_axis_tdata[39:32] : 8'd0;
    end
end

always @(posedge clk) begin
    if (accept || state_reg) begin
        frame_5[frame_0_selected | (state_reg ? 8'd1 : 8'd0)] <= (accept ? s_axis_tdata[47:40] : 8'd0)
                | (state_reg ? numbers_read : 8'd0);
    end
end

always @(posedge clk) begin
    if (accept) begin
        frame_6[frame_0_selected] <= accept ? s_axis_tdata[55:48] : 8'd0;
    end
end

always @(posedge clk) begin
    if (accept) begin
        frame_7[frame_0_selected] <= accept ? s_axis_tdata[63:56] : 8'd0;
    end
end

/*
 * state of the service
 */
(* ram_style = "distributed" *)
reg  [7:0]   numbers [0:3];  // numbers

initial begin : numbers_initial
    integer i;

    for (i = 0; i < 4; i = i + 1) begin
        numbers[i] = 8'd0;
    end
end

wire [1:0]   numbers_bits = {user_reg[20] || user_reg[22], user_reg[18] || user_reg[22]};

always @(posedge clk) begin
    if (clear_reg || state_reg) begin
        numbers[clear_reg ? clear_index_reg[1:0] : numbers_bits] <= clear_reg ? 8'd0 : numbers_read + 8'd1;
    end
end

/*
 * receive: a beat into each row, until the last
 */
wire         pauses;  // a reset while no frame is here
wire         finished;

reg          receive_reg = 1'b0;
reg          first_reg = 1'b1;

assign accept = s_axis_tvalid && receive_reg;
wire         receive_all = accept && s_axis_tlast;
wire         returns = (finished && !control_reset_reg) || control_reset_all;  // the frame is done with
wire         length_equal = row_reg == 8'd255;
wire         length_all = accept && !length_equal;

always @(posedge clk) begin
    receive_reg <= (receive_reg && !(receive_all || pauses)) || returns;
    admit_reg <= receive_all;

    if (accept && first_reg) begin
        user_reg <= s_axis_tuser;
    end

    if (length_all) begin
        length_reg <= (first_reg ? 12'd0 : length_reg) + {4'd0, 4'd0, ones_8(s_axis_tkeep)};
    end

    if (admit_reg || length_all) begin
        row_reg <= admit_reg ? 8'd0 : row_reg + 8'd1;
    end

    if (accept) begin
        first_reg <= s_axis_tlast;
    end

    if (admit_reg || (accept && length_equal)) begin
        too_long_reg <= !admit_reg;
    end

    if (rst) begin
        receive_reg <= 1'b0;
        user_reg <= 128'd0;
        length_reg <= 12'd0;
        admit_reg <= 1'b0;
        row_reg <= 8'd0;
        first_reg <= 1'b1;
        too_long_reg <= 1'b0;
    end
end

/*
 * admit: whether the service sees the frame
 */
assign pauses = control_reset_reg && first_reg && receive_reg && !accept;

/*
 * states of the program
 */
assign numbers_read = numbers[state_reg ? numbers_bits : 2'd0];

always @(posedge clk) begin
    state_reg <= admitted;

    if (rst) begin
        state_reg <= 1'b0;
    end
end

/*
 * states of the program
 */

/*
 * transmit: a row a beat, until the length is reached
 */
reg  [11:0]  transmit_length_reg = 12'd0;  // bytes still to send
reg  [3:0]   transmit_egress_reg = 4'd0;
reg  [11:0]  transmit_total_reg = 12'd0;
reg          m_axis_tvalid_reg = 1'b0;
reg  [7:0]   m_axis_tdata_0_reg = 8'd0;
reg  [7:0]   m_axis_tdata_1_reg = 8'd0;
reg  [7:0]   m_axis_tdata_2_reg = 8'd0;
reg  [7:0]   m_axis_tdata_3_reg = 8'd0;
reg  [7:0]   m_axis_tdata_4_reg = 8'd0;
reg  [7:0]   m_axis_tdata_5_reg = 8'd0;
reg  [7:0]   m_axis_tdata_6_reg = 8'd0;
reg  [7:0]   m_axis_tdata_7_reg = 8'd0;
reg          m_axis_tkeep_0_reg = 1'b0;
reg          m_axis_tkeep_1_reg = 1'b0;
reg          m_axis_tkeep_2_reg = 1'b0;
reg          m_axis_tkeep_3_reg = 1'b0;
reg          m_axis_tkeep_4_reg = 1'b0;
reg          m_axis_tkeep_5_reg = 1'b0;
reg          m_axis_tkeep_6_reg = 1'b0;
reg          m_axis_tkeep_7_reg = 1'b0;
reg          m_axis_tlast_reg = 1'b0;
reg  [127:0] m_axis_tuser_reg = 128'd0;

wire [3:0]   transmit_new_egress = state_reg ? 4'd1 << numbers_bits : 4'd0;
wire [11:0]  transmit_new_length = {1'b0, state_reg ? length_reg[10:0] : 11'd0};
wire         transmit_leaves = transmit_new_egress != 4'd0 && transmit_new_length != 12'd0;
wire         transmit_step = transmit_reg && (!m_axis_tvalid_reg || m_axis_tready);
wire         transmit_done_xor = transmit_length_reg <= 12'd8;
wire         transmit_done = transmit_step && transmit_done_xor;
wire         transmit_length_any = state_reg || transmit_step;
wire         finished_all = state_reg && !transmit_leaves;
assign finished = transmit_done || finished_all || refused;

always @(posedge clk) begin
    transmit_reg <= (state_reg && transmit_leaves) || (transmit_reg && !transmit_done);
    m_axis_tvalid_reg <= transmit_step || (m_axis_tvalid_reg && !m_axis_tready);
    clear_reg <= (clear_reg && !control_reset_all) || (finished && control_reset_reg) || pauses;
    clear_index_reg <= clear_reg ? clear_index_reg + 7'd1 : 7'd0;

    if (transmit_length_any) begin
        transmit_length_reg <= state_reg ? transmit_new_length : transmit_length_reg - 12'd8;
        transmit_row_reg <= state_reg ? 8'd0 : transmit_row_reg + 8'd1;
    end

    if (state_reg) begin
        transmit_egress_reg <= transmit_new_egress;
        transmit_total_reg <= transmit_new_length;
    end

    if (transmit_step) begin
        m_axis_tdata_0_reg <= frame_0_read;
        m_axis_tdata_1_reg <= frame_1_read;
        m_axis_tdata_2_reg <= frame_2_read;
        m_axis_tdata_3_reg <= frame_3_read;
        m_axis_tdata_4_reg <= frame_4_read;
        m_axis_tdata_5_reg <= frame_5_read;
        m_axis_tdata_6_reg <= frame_6_read;
        m_axis_tdata_7_reg <= frame_7_read;
        m_axis_tkeep_0_reg <= transmit_length_reg != 12'd0;
        m_axis_tkeep_1_reg <= transmit_length_reg[11:1] != 11'd0;
        m_axis_tkeep_2_reg <= transmit_length_reg > 12'd2;
        m_axis_tkeep_3_reg <= transmit_length_reg[11:2] != 10'd0;
        m_axis_tkeep_4_reg <= transmit_length_reg > 12'd4;
        m_axis_tkeep_5_reg <= transmit_length_reg > 12'd5;
        m_axis_tkeep_6_reg <= transmit_length_reg > 12'd6;
        m_axis_tkeep_7_reg <= transmit_length_reg[11:3] != 9'd0;
        m_axis_tlast_reg <= transmit_done_xor;
        m_axis_tuser_reg <= {user_reg[127:32], 1'b0, transmit_egress_reg[3], 1'b0, transmit_egress_reg[2], 1'b0,
                             transmit_egress_reg[1], 1'b0, transmit_egress_reg[0], user_reg[23:16], 4'd0,
                             transmit_total_reg};
    end

    if (rst) begin
        transmit_reg <= 1'b0;
        transmit_length_reg <= 12'd0;
        transmit_egress_reg <= 4'd0;
        transmit_total_reg <= 12'd0;
        transmit_row_reg <= 8'd0;
        m_axis_tvalid_reg <= 1'b0;
        m_axis_tdata_0_reg <= 8'd0;
        m_axis_tdata_1_reg <= 8'd0;
        m_axis_tdata_2_reg <= 8'd0;
        m_axis_tdata_3_reg <= 8'd0;
        m_axis_tdata_4_reg <= 8'd0;
        m_axis_tdata_5_reg <= 8'd0;
        m_axis_tdata_6_reg <= 8'd0;
        m_axis_tdata_7_reg <= 8'd0;
        m_axis_tkeep_0_reg <= 1'b0;
        m_axis_tkeep_1_reg <= 1'b0;
        m_axis_tkeep_2_reg <= 1'b0;
        m_axis_tkeep_3_reg <= 1'b0;
        m_axis_tkeep_4_reg <= 1'b0;
        m_axis_tkeep_5_reg <= 1'b0;
        m_axis_tkeep_6_reg <= 1'b0;
        m_axis_tkeep_7_reg <= 1'b0;
        m_axis_tlast_reg <= 1'b0;
        m_axis_tuser_reg <= 128'd0;
        clear_reg <= 1'b1;
        clear_index_reg <= 7'd0;
    end
end

/*
 * counters
 */
reg  [1:0]   counter_turn_reg = 2'd0;
reg          frames_in_event_reg = 1'b0;
reg  [2:0]   frames_in_pending_reg = 3'd0;
reg          frames_out_event_reg = 1'b0;
reg  [2:0]   frames_out_pending_reg = 3'd0;
reg          drops_event_reg = 1'b0;
reg  [2:0]   drops_pending_reg = 3'd0;
reg  [2:0]   counter_added_reg = 3'd0;
reg  [2:0]   counter_settle_reg = 3'd0;
reg          counter_wanted_reg = 1'b0;
reg  [1:0]   counter_low_turn_reg = 2'd0;
reg  [1:0]   counter_high_turn_reg = 2'd0;
(* ram_style = "distributed" *)
reg  [31:0]  counters_low [0:3];

initial begin : counters_low_initial
    integer i;

    for (i = 0; i < 4; i = i + 1) begin
        counters_low[i] = 32'd0;
    end
end
reg          counter_carry_reg = 1'b0;
(* ram_style = "distributed" *)
reg  [31:0]  counters_high [0:3];

initial begin : counters_high_initial
    integer i;

    for (i = 0; i < 4; i = i + 1) begin
        counters_high[i] = 32'd0;
    end
end
reg          counter_low_wanted_reg = 1'b0;

wire         frames_in_event_xor = length_reg != 12'd0;
wire         frames_in_pending_equal = counter_turn_reg == 2'd0;
wire         frames_out_pending_equal = counter_turn_reg == 2'd1;
wire         drops_pending_equal = counter_turn_reg == 2'd2;
wire         counter_settle_equal = counter_settle_reg == 3'd7;
wire [2:0]   counter_settle_selected = counter_settle_equal ? counter_settle_reg : counter_settle_reg + 3'd1;
wire [1:0]   counter_wanted_any = (read_is_counter_equal ? 2'd1 : 2'd0) | (read_is_counter_equal_2 ? 2'd2 : 2'd0);
wire [31:0]  counters_low_read = counters_low[counter_low_turn_reg];
wire [31:0]  counters_low_sum = counters_low_read + {29'd0, counter_added_reg};
wire [32:0]  counter_carry_sum = {1'b0, counters_low_read} + {30'd0, counter_added_reg};
wire [31:0]  counters_high_read = counters_high[counter_high_turn_reg];
wire [31:0]  counters_high_sum = counters_high_read + {31'd0, counter_carry_reg};

always @(posedge clk) begin
    counters_low[counter_low_turn_reg] <= clear_reg ? 32'd0 : counters_low_sum;
end

always @(posedge clk) begin
    counters_high[counter_high_turn_reg] <= clear_reg ? 32'd0 : counters_high_sum;
end

always @(posedge clk) begin
    counter_turn_reg <= counter_turn_reg + 2'd1;
    frames_in_event_reg <= admit_reg && frames_in_event_xor;
    frames_in_pending_reg <= (frames_in_pending_equal ? 3'd0 : frames_in_pending_reg) + {2'd0, frames_in_event_reg};
    frames_out_event_reg <= transmit_done;
    frames_out_pending_reg <= (frames_out_pending_equal ? 3'd0 : frames_out_pending_reg) + {2'd0, frames_out_event_reg};
    drops_event_reg <= finished_all || (refused && frames_in_event_xor);
    drops_pending_reg <= (drops_pending_equal ? 3'd0 : drops_pending_reg) + {2'd0, drops_event_reg};
    counter_added_reg <= (frames_in_pending_equal ? frames_in_pending_reg : 3'd0)
                         | (frames_out_pending_equal ? frames_out_pending_reg : 3'd0)
                         | (drops_pending_equal ? drops_pending_reg : 3'd0);
    counter_settle_reg <= read_has_all ? counter_settle_selected : 3'd0;
    counter_wanted_reg <= read_has_all && counter_settle_equal && counter_turn_reg == counter_wanted_any;
    counter_low_turn_reg <= counter_turn_reg;
    counter_high_turn_reg <= counter_low_turn_reg;
    counter_carry_reg <= counter_carry_sum[32];
    counter_low_wanted_reg <= counter_wanted_reg;
    counter_shown_reg <= counter_low_wanted_reg;

    if (counter_wanted_reg) begin
        counter_low_reg <= counters_low_sum;
    end

    if (counter_low_wanted_reg) begin
        counter_high_reg <= counters_high_sum;
    end

    if (rst) begin
        counter_turn_reg <= 2'd0;
        frames_in_event_reg <= 1'b0;
        frames_in_pending_reg <= 3'd0;
        frames_out_event_reg <= 1'b0;
        frames_out_pending_reg <= 3'd0;
        drops_event_reg <= 1'b0;
        drops_pending_reg <= 3'd0;
        counter_added_reg <= 3'd0;
        counter_settle_reg <= 3'd0;
        counter_wanted_reg <= 1'b0;
        counter_low_turn_reg <= 2'd0;
        counter_high_turn_reg <= 2'd0;
        counter_carry_reg <= 1'b0;
        counter_low_wanted_reg <= 1'b0;
        counter_shown_reg <= 1'b0;
    end
end

/*
 * Outputs
 */
assign s_axis_tready = receive_reg;
assign m_axis_tdata = {m_axis_tdata_7_reg, m_axis_tdata_6_reg, m_axis_tdata_5_reg, m_axis_tdata_4_reg,
                       m_axis_tdata_3_reg, m_axis_tdata_2_reg, m_axis_tdata_1_reg, m_axis_tdata_0_reg};
assign m_axis_tkeep = {m_axis_tkeep_7_reg, m_axis_tkeep_6_reg, m_axis_tkeep_5_reg, m_axis_tkeep_4_reg,
                       m_axis_tkeep_3_reg, m_axis_tkeep_2_reg, m_axis_tkeep_1_reg, m_axis_tkeep_0_reg};
assign m_axis_tvalid = m_axis_tvalid_reg;
assign m_axis_tlast = m_axis_tlast_reg;
assign m_axis_tuser = m_axis_tuser_reg;
assign s_axi_awready = write_ready_reg;
assign s_axi_wready = write_ready_reg;
assign s_axi_bresp = 2'd0;
assign s_axi_bvalid = response_valid_reg;
assign s_axi_arready = read_ready_reg;
assign s_axi_rdata = read_data_reg;
assign s_axi_rresp = 2'd0;
assign s_axi_rvalid = read_valid_reg;

/*
 * Bits that nothing reads
 */
wire unused = &{1'b0, s_axi_awaddr[1:0], s_axi_araddr[1:0], high_word_reg, user_reg[31:24], user_reg[15:0],
                 counter_carry_sum[31:0]};

endmodule

`default_nettype wire
