// Language: Verilog 2005

`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Filter
 * Layout     pipeline: a frame every 2 cycles or more; its beats wait in a FIFO for the verdict; 64-bit bus.
 * Interface  s_axis, m_axis: byte 0 of a frame is tdata[7:0]; tuser of the first beat: [15:0] length, [23:16] source
 *     port,
 *            [31:24] destination ports, a bit each, the even ones MAC ports; [95:32] time of arrival in nanoseconds.
 *            s_axi: registers, see the report.
 * Order      as if each frame was handled alone, in order of arrival.
 * Stalls     s_axis_tready and all m_axis outputs are registers; the stages never stall for the output.
 * Names      a register that carries a value of the C# is s<stage>_<name in C#>_reg, through several stages
 *            s<first>_to_s<last>_<name in C#>_reg, the latest in the highest bits; values of one name stand
 *            side by side. A wire has the name in C# of what it computes, or that of what it is for.
 */
module filter
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

/*
 * AXI4-Lite registers
 */
reg  [6:0]   clear_index_reg = 7'd0;
reg          clear_reg = 1'b1;  // memories are set to what the constructor left
reg          counter_shown_reg = 1'b0;
reg  [31:0]  counter_high_reg = 32'd0, counter_low_reg = 32'd0;
reg          control_reset_reg = 1'b0;  // a write to 0x08: back to what the constructor left, between two frames
reg          write_ready_reg = 1'b0, response_valid_reg = 1'b0;
reg  [7:0]   complement_0_reg = 8'd0, complement_1_reg = 8'd0, complement_2_reg = 8'd0, complement_3_reg = 8'd0;
reg          read_ready_reg = 1'b0;
reg          read_looks_reg = 1'b0;  // an address is taken, its word is not there yet
reg          read_valid_reg = 1'b0, read_counter_reg = 1'b0;
reg  [7:0]   read_counter_index_reg = 8'd0;
reg          read_shown_reg = 1'b0, read_constant_reg = 1'b0, read_constant_2_reg = 1'b0, read_complement_reg = 1'b0;
reg  [31:0]  read_word_reg = 32'hFFFFFFFF;
reg          read_counter_high_reg = 1'b0;
reg  [31:0]  read_word_2_reg = 32'd0, read_data_reg = 32'd0;

wire         control_reset = !(clear_reg && clear_index_reg == 7'd127);
wire         control_reset_2 = write_ready_reg && s_axi_awaddr[11:2] == 10'd2 && s_axi_wstrb[0] && s_axi_wdata[0];
wire         complement_0 = write_ready_reg && s_axi_awaddr[11:2] == 10'd3;
wire         read_has_2 = read_looks_reg && read_counter_reg;
wire         read_has = read_looks_reg && ((read_has_2 && counter_shown_reg) || read_shown_reg);
wire         read_counter = s_axi_araddr[11:2] == 10'd6;
wire         read_counter_2 = s_axi_araddr[11:2] == 10'd8;
wire         read_counter_3 = s_axi_araddr[11:2] == 10'd7 || read_counter_2;
wire [31:0]  read_word = {complement_3_reg, complement_2_reg, complement_1_reg, complement_0_reg};
wire [30:0]  read_data = counter_low_reg[30:0] | (read_constant_reg ? 31'h46494C54 : 31'd0);
wire [16:0]  read_data_2 = (read_constant_2_reg ? 17'h10000 : 17'd0) | ~read_word_reg[16:0];

always @(posedge clk) begin
    control_reset_reg <= control_reset_2 || (control_reset_reg && control_reset);
    write_ready_reg <= s_axi_awvalid && s_axi_wvalid && !write_ready_reg && !response_valid_reg;
    response_valid_reg <= write_ready_reg || (response_valid_reg && !s_axi_bready);
    read_ready_reg <= s_axi_arvalid && !(read_ready_reg || read_looks_reg || read_valid_reg);
    read_looks_reg <= read_ready_reg || (read_looks_reg && !read_has);
    read_valid_reg <= read_has || (read_valid_reg && !s_axi_rready);
    read_shown_reg <= read_looks_reg && !read_counter_reg;
    read_word_reg <= read_complement_reg ? read_word : 32'hFFFFFFFF;
    read_word_2_reg <= read_counter_high_reg ? counter_high_reg : 32'd0;
    if (complement_0 && s_axi_wstrb[0]) complement_0_reg <= s_axi_wdata[7:0];
    if (complement_0 && s_axi_wstrb[1]) complement_1_reg <= s_axi_wdata[15:8];
    if (complement_0 && s_axi_wstrb[2]) complement_2_reg <= s_axi_wdata[23:16];
    if (complement_0 && s_axi_wstrb[3]) complement_3_reg <= s_axi_wdata[31:24];
    if (read_ready_reg) begin
        read_counter_reg <= s_axi_araddr[11:2] == 10'd5 || read_counter || read_counter_3;
        read_counter_index_reg <= {6'd0, read_counter_3, read_counter || read_counter_2};
        read_constant_reg <= s_axi_araddr[11:2] == 10'd0;
        read_constant_2_reg <= s_axi_araddr[11:2] == 10'd1;
        read_complement_reg <= s_axi_araddr[11:2] == 10'd3;
        read_counter_high_reg <= s_axi_araddr[11:2] == 10'd9;
    end
    if (read_has) begin
        read_data_reg <= {counter_low_reg[31], read_data} | {~read_word_reg[31:17], read_data_2} | read_word_2_reg;
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
        read_counter_reg <= 1'b0;
        read_counter_index_reg <= 8'd0;
        read_shown_reg <= 1'b0;
        read_constant_reg <= 1'b0;
        read_constant_2_reg <= 1'b0;
        read_complement_reg <= 1'b0;
        read_word_reg <= 32'hFFFFFFFF;
        read_counter_high_reg <= 1'b0;
        read_word_2_reg <= 32'd0;
        read_data_reg <= 32'd0;
    end
end

/*
 * header: the beats that the service looks at
 */
reg  [4:0]   fifo_count_reg = 5'd0;  // beats in the FIFO; one place stays free, so that equal pointers mean empty
reg          s_axis_tready_reg = 1'b0, beat_0_reg = 1'b1, beat_1_reg = 1'b0;
reg          goes_reg = 1'b0;  // the window takes a beat, or fills up a frame
reg          filling_reg = 1'b0;  // a frame ended sooner than Ethernet allows
reg  [127:0] user_reg = 128'd0;

wire         accept = s_axis_tvalid && s_axis_tready_reg;
wire         fills = goes_reg && filling_reg;
wire         steps = accept || fills;
wire         last = (s_axis_tlast || fills) && !beat_0_reg;
wire         s_axis_tready_2 = clear_reg && control_reset;
wire         s_axis_tready_3 = control_reset_reg && ((steps && last) || (beat_0_reg && !accept));
wire         s_axis_tready_4 = fifo_count_reg < 5'd30 && !(s_axis_tready_3 || s_axis_tready_2);
wire         s_axis_tready_5 = (accept && s_axis_tlast && beat_0_reg) || (filling_reg && !(goes_reg && beat_1_reg));
wire         start = steps && (beat_1_reg || (last && (beat_0_reg || beat_1_reg)));  // the header is complete
wire         user = accept && beat_0_reg;

always @(posedge clk) begin
    s_axis_tready_reg <= s_axis_tready_4 && !s_axis_tready_5;
    goes_reg <= s_axis_tready_4;
    filling_reg <= s_axis_tready_5;
    if (steps) begin
        beat_0_reg <= last;
        beat_1_reg <= beat_0_reg && !last;
    end
    if (user) user_reg <= s_axis_tuser;
    if (rst) begin
        s_axis_tready_reg <= 1'b0;
        beat_0_reg <= 1'b1;
        beat_1_reg <= 1'b0;
        goes_reg <= 1'b0;
        filling_reg <= 1'b0;
        user_reg <= 128'd0;
    end
end

/*
 * frame FIFO: beats wait for the verdict
 */
reg          valid_1_reg = 1'b0, m_axis_tvalid_reg = 1'b0;
wire [3:0]   egress;
reg  [4:0]   fifo_tail_reg = 5'd0, fifo_head_reg = 5'd0;
(* ram_style = "distributed" *)
reg  [63:0]  fifo_data [0:31];
(* ram_style = "distributed" *)
reg  [8:0]   fifo_keep [0:31];
reg  [4:0]   frame_tail_reg = 5'd0, frame_head_reg = 5'd0;
(* ram_style = "distributed" *)
reg  [119:0] fifo_user [0:31];
reg  [4:0]   verdict_tail_reg = 5'd0;
(* ram_style = "distributed" *)
reg  [3:0]   verdict [0:31];

wire         fifo_pop_2 = verdict_tail_reg == frame_head_reg;
wire         fifo_pop_3 = fifo_tail_reg != fifo_head_reg && (!fifo_pop_2 || valid_1_reg);
wire         fifo_pop_4 = !m_axis_tvalid_reg || m_axis_tready;
wire [3:0]   verdict_read = verdict[frame_head_reg];
wire [3:0]   verdict_now = fifo_pop_2 ? egress : verdict_read;  // of the frame whose beat is next
wire         fifo_pop_5 = verdict_now == 4'd0;
wire         fifo_pop = fifo_pop_3 && (fifo_pop_4 || fifo_pop_5);  // a beat is taken
wire         fifo_count = fifo_pop && !accept;
wire [4:0]   fifo_count_2 = {{4{fifo_count}}, fifo_pop != accept};
wire [63:0]  fifo_data_read = fifo_data[fifo_head_reg];
wire [8:0]   fifo_keep_read = fifo_keep[fifo_head_reg];
wire         frame_done = fifo_pop && fifo_keep_read[8];
wire [119:0] fifo_user_read = fifo_user[frame_head_reg];

always @(posedge clk) begin
    if (accept) begin
        fifo_data[fifo_tail_reg] <= s_axis_tdata;
        fifo_keep[fifo_tail_reg] <= {s_axis_tlast, s_axis_tkeep};
    end
    if (user) fifo_user[frame_tail_reg] <= {s_axis_tuser[23:0], s_axis_tuser[127:32]};
    if (valid_1_reg) verdict[verdict_tail_reg] <= egress;
end

always @(posedge clk) begin
    fifo_count_reg <= fifo_count_reg + fifo_count_2;
    if (accept) fifo_tail_reg <= fifo_tail_reg + 5'd1;
    if (fifo_pop) fifo_head_reg <= fifo_head_reg + 5'd1;
    if (user) frame_tail_reg <= frame_tail_reg + 5'd1;
    if (frame_done) frame_head_reg <= frame_head_reg + 5'd1;
    if (valid_1_reg) verdict_tail_reg <= verdict_tail_reg + 5'd1;
    if (rst) begin
        fifo_count_reg <= 5'd0;
        fifo_tail_reg <= 5'd0;
        fifo_head_reg <= 5'd0;
        frame_tail_reg <= 5'd0;
        frame_head_reg <= 5'd0;
        verdict_tail_reg <= 5'd0;
    end
end

/*
 * stage 1
 * Filter.cs:9-10; Frame.cs:25
 */
reg          s1_admitted_reg = 1'b0;
reg  [3:0]   s1_egress_reg = 4'd0;
reg          s1_frame_length_reg = 1'b0, s1_process_reg = 1'b0;

wire         clear = control_reset_reg && !clear_reg && !(accept || valid_1_reg || fifo_count_reg != 5'd0)
                     && beat_0_reg && !s_axis_tready_reg;
wire         admitted = s_axis_tdata[39:32] == 8'd136 && s_axis_tdata[47:40] == 8'd168;
wire         admitted_2 = (s_axis_tdata[39:32] == 8'd129 && s_axis_tdata[47:40] == 8'd0) || admitted;
wire         admitted_3 = user_reg[15:0] <= 16'h05EA || (admitted_2 && user_reg[15:0] <= 16'h05EE);
wire         process_ = s_axis_tdata[39:32] == 8'd134 && s_axis_tdata[47:40] == 8'd221;
wire [3:0]   port_set_of = 4'd1 << {user_reg[20] || user_reg[22], user_reg[18] || user_reg[22]};
assign egress = s1_admitted_reg ? s1_egress_reg : 4'd0;
wire         frame_length = user_reg[15:0] == 16'd0;

always @(posedge clk) begin
    valid_1_reg <= start;
    clear_reg <= s_axis_tready_2 || clear;
    if (start) begin
        s1_admitted_reg <= admitted_3 && user_reg[15:0] >= 16'd14 && (user_reg[23:16] & 8'd85) != 8'd0;
        s1_egress_reg <= process_ ? 4'd0 : ~port_set_of;
        s1_frame_length_reg <= frame_length;
        s1_process_reg <= process_;
    end
    if (rst) begin
        valid_1_reg <= 1'b0;
        clear_reg <= 1'b1;
    end
end

/*
 * output
 */
reg  [63:0]  m_axis_tdata_reg = 64'd0;
reg  [7:0]   m_axis_tkeep_reg = 8'd0;
reg          m_axis_tlast_reg = 1'b0;
reg  [127:0] m_axis_tuser_reg = 128'd0;

wire         load = fifo_pop_3 && fifo_pop_4 && !fifo_pop_5;

always @(posedge clk) begin
    m_axis_tvalid_reg <= load || (m_axis_tvalid_reg && !m_axis_tready);
    if (fifo_pop_4) begin
        m_axis_tdata_reg <= fifo_data_read;
        m_axis_tkeep_reg <= fifo_keep_read[7:0];
        m_axis_tlast_reg <= fifo_keep_read[8];
        m_axis_tuser_reg <= {fifo_user_read[95:0], 1'b0, verdict_now[3], 1'b0, verdict_now[2], 1'b0, verdict_now[1],
                             1'b0, verdict_now[0], fifo_user_read[119:96]};
    end
    if (rst) begin
        m_axis_tvalid_reg <= 1'b0;
        m_axis_tlast_reg <= 1'b0;
        m_axis_tuser_reg <= 128'd0;
    end
end

/*
 * reset and readiness
 */
always @(posedge clk) begin
    clear_index_reg <= clear_reg ? clear_index_reg + 7'd1 : 7'd0;
    if (rst) begin
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
reg          refused_event_reg = 1'b0;
reg  [2:0]   refused_pending_reg = 3'd0, counter_added_reg = 3'd0, counter_settle_reg = 3'd0;
reg          counter_wanted_reg = 1'b0;
reg  [1:0]   counter_low_turn_reg = 2'd0, counter_high_turn_reg = 2'd0;
(* ram_style = "distributed" *)
reg  [31:0]  counters_low [0:3];
reg  [31:0]  counter_low_sum_reg = 32'd0;
reg          counter_carry_reg = 1'b0;
(* ram_style = "distributed" *)
reg  [31:0]  counters_high [0:3];
reg  [31:0]  counter_high_sum_reg = 32'd0;
reg  [1:0]   counter_last_turn_reg = 2'd0;
reg          counter_low_wanted_reg = 1'b0;

wire         frames_in_pending = counter_turn_reg == 2'd0;
wire         frames_out_pending = counter_turn_reg == 2'd1;
wire         drops_pending = counter_turn_reg == 2'd2;
wire         refused_pending = counter_turn_reg == 2'd3;
wire         counter_settle = counter_settle_reg == 3'd7;
wire [2:0]   counter_settle_2 = counter_settle ? counter_settle_reg : counter_settle_reg + 3'd1;
wire [31:0]  counters_low_read = counters_low[counter_low_turn_reg];
wire [32:0]  counter_low_sum = {1'b0, counters_low_read} + {30'd0, counter_added_reg};
wire [31:0]  counters_high_read = counters_high[counter_high_turn_reg];

always @(posedge clk) begin
    counters_low[counter_high_turn_reg] <= counter_low_sum_reg;
    counters_high[counter_last_turn_reg] <= counter_high_sum_reg;
end

always @(posedge clk) begin
    counter_turn_reg <= counter_turn_reg + 2'd1;
    frames_in_event_reg <= start && !frame_length;
    frames_in_pending_reg <= (frames_in_pending ? 3'd0 : frames_in_pending_reg) + {2'd0, frames_in_event_reg};
    frames_out_event_reg <= frame_done && !fifo_pop_5;
    frames_out_pending_reg <= (frames_out_pending ? 3'd0 : frames_out_pending_reg) + {2'd0, frames_out_event_reg};
    drops_event_reg <= valid_1_reg && !s1_frame_length_reg && egress == 4'd0;
    drops_pending_reg <= (drops_pending ? 3'd0 : drops_pending_reg) + {2'd0, drops_event_reg};
    refused_event_reg <= valid_1_reg && s1_admitted_reg && s1_process_reg;
    refused_pending_reg <= (refused_pending ? 3'd0 : refused_pending_reg) + {2'd0, refused_event_reg};
    counter_added_reg <= (frames_in_pending ? frames_in_pending_reg : 3'd0)
                         | (frames_out_pending ? frames_out_pending_reg : 3'd0)
                         | (drops_pending ? drops_pending_reg : 3'd0) | (refused_pending ? refused_pending_reg : 3'd0);
    counter_settle_reg <= read_has_2 ? counter_settle_2 : 3'd0;
    counter_wanted_reg <= read_has_2 && counter_settle && counter_turn_reg == read_counter_index_reg[1:0];
    counter_low_turn_reg <= counter_turn_reg;
    counter_high_turn_reg <= counter_low_turn_reg;
    counter_low_sum_reg <= clear_reg ? 32'd0 : counter_low_sum[31:0];
    counter_carry_reg <= counter_low_sum[32];
    counter_high_sum_reg <= clear_reg ? 32'd0 : counters_high_read + {31'd0, counter_carry_reg};
    counter_last_turn_reg <= counter_high_turn_reg;
    counter_low_wanted_reg <= counter_wanted_reg;
    counter_low_reg <= counter_low_wanted_reg ? counter_low_sum_reg : 32'd0;
    counter_shown_reg <= counter_low_wanted_reg;
    if (counter_shown_reg) counter_high_reg <= counter_high_sum_reg;
    if (rst) begin
        counter_turn_reg <= 2'd0;
        frames_in_event_reg <= 1'b0;
        frames_in_pending_reg <= 3'd0;
        frames_out_event_reg <= 1'b0;
        frames_out_pending_reg <= 3'd0;
        drops_event_reg <= 1'b0;
        drops_pending_reg <= 3'd0;
        refused_event_reg <= 1'b0;
        refused_pending_reg <= 3'd0;
        counter_added_reg <= 3'd0;
        counter_settle_reg <= 3'd0;
        counter_wanted_reg <= 1'b0;
        counter_low_turn_reg <= 2'd0;
        counter_high_turn_reg <= 2'd0;
        counter_carry_reg <= 1'b0;
        counter_last_turn_reg <= 2'd0;
        counter_low_wanted_reg <= 1'b0;
        counter_shown_reg <= 1'b0;
    end
end

/*
 * Outputs
 */
assign s_axis_tready = s_axis_tready_reg;
assign m_axis_tdata = m_axis_tdata_reg;
assign m_axis_tkeep = m_axis_tkeep_reg;
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
 * Memories at power-up
 */
`ifndef SYNTHESIS
initial begin : memories
    integer i;
    for (i = 0; i < 4; i = i + 1) begin
        counters_low[i] = 32'd0;
        counters_high[i] = 32'd0;
    end
    for (i = 0; i < 32; i = i + 1) begin
        fifo_data[i] = 64'd0;
        fifo_keep[i] = 9'd0;
        fifo_user[i] = 120'd0;
        verdict[i] = 4'd0;
    end
end
`endif

/*
 * Bits that nothing reads
 */
wire unused = &{1'b0, s_axi_awaddr[1:0], s_axi_araddr[1:0], read_counter_index_reg[7:2], user_reg[127:24]};

endmodule

`default_nettype wire
