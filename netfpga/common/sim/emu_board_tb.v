`timescale 1ns / 1ps
`default_nettype none

// The bench of a whole project: a MAC model before and behind each port, and a host at the registers.
//
// schedule.txt says what is done, one step a line: a letter and two hexadecimal numbers.
//
//   W address data    writes a register
//   R address 0       reads one, into reg_log.axi
//   P port 0          sends the next frame of a port's file, and waits until it is taken
//   G frames pace     sends frames by all MACs at once as their lines bring them, pace being the cycles of a byte times
//                     2^24; says the cycles until all that were taken were stamped, and waits until nothing moves
//   F frames 0        waits until so many frames were stamped
//   E port frames     waits until a port has sent so many frames, or nothing has moved for long
//   Q cycles 0        waits until nothing has moved for so many cycles
//
// nf_interface_N_stim.axi are the frames of port N, nf_interface_N_log.axi what it sent, in NetFPGA's form: a beat a
// line, "tdata, tkeep, tuser" and a comma, or a full stop behind the last of a frame; "* n" are n idle cycles, "+ n"
// nanoseconds, "@ n" waits until that time, "#" begins a comment. +stall=SEED holds back both sides at random.
//
// A MAC at the pace of its line stores no frame that comes: one is dropped as a whole where it is not taken at once, or
// where the frame before it is still being taken when it has come whole. A MAC that sends takes a frame before the one
// ahead of it is over, and no more. Ports of the host send nothing then, and take all.
//
// The bench acts at falling edges, and looks at what it acts on before the rising edge: so it races with nothing.
module emu_board_tb;
    localparam PORTS = @PORTS@, MACS = @MACS@, DATA_BITS = @DATA_BITS@, KEEP_BITS = DATA_BITS / 8;
    localparam STAMPED = 32'hF90;
    localparam MOST_SILENT = 1000000;
    localparam PAUSE = 2000;
    localparam MOST_EXPECTED = 20000;
    // Bytes beside those of a frame on a line: FCS, preamble, and the gap between two frames.
    localparam [63:0] OVERHEAD = 64'd24;
    // Bytes that a sending MAC holds at the most, beside the frame on the line.
    localparam [63:0] AHEAD = 64'd64;
    localparam SETTLE = 0.5;

    reg clk = 1'b0;
    reg axil_clk = 1'b0;
    reg resetn = 1'b0;
    always #@HALF_PERIOD@ clk = !clk;
    always #@AXIL_HALF_PERIOD@ axil_clk = !axil_clk;

    wire [PORTS*DATA_BITS-1:0] s_tdata;
    wire [PORTS*KEEP_BITS-1:0] s_tkeep;
    wire [PORTS*128-1:0]       s_tuser;
    wire [PORTS-1:0]           s_tlast;
    wire [PORTS-1:0]           s_tvalid;
    wire [PORTS-1:0]           s_tready;
    wire [PORTS*DATA_BITS-1:0] m_tdata;
    wire [PORTS*KEEP_BITS-1:0] m_tkeep;
    wire [PORTS*128-1:0]       m_tuser;
    wire [PORTS-1:0]           m_tlast;
    wire [PORTS-1:0]           m_tvalid;
    reg  [PORTS-1:0]           m_tready = 0;

    reg  [31:0] awaddr = 0;
    reg         awvalid = 0;
    wire        awready;
    reg  [31:0] wdata = 0;
    reg         wvalid = 0;
    wire        wready;
    wire [1:0]  bresp;
    wire        bvalid;
    reg  [31:0] araddr = 0;
    reg         arvalid = 0;
    wire        arready;
    wire [31:0] rdata;
    wire [1:0]  rresp;
    wire        rvalid;
    wire        is_ready;
    wire [31:0] stamped;
    wire [31:0] queue_drops;

    board_under_test board (
        .clk(clk), .axil_clk(axil_clk), .resetn(resetn), .is_ready(is_ready),
        .s_tdata(s_tdata), .s_tkeep(s_tkeep), .s_tuser(s_tuser), .s_tlast(s_tlast),
        .s_tvalid(s_tvalid), .s_tready(s_tready),
        .m_tdata(m_tdata), .m_tkeep(m_tkeep), .m_tuser(m_tuser), .m_tlast(m_tlast),
        .m_tvalid(m_tvalid), .m_tready(m_tready),
        .awaddr(awaddr), .awvalid(awvalid), .awready(awready), .wdata(wdata), .wvalid(wvalid), .wready(wready),
        .bresp(bresp), .bvalid(bvalid), .bready(1'b1),
        .araddr(araddr), .arvalid(arvalid), .arready(arready), .rdata(rdata), .rresp(rresp), .rvalid(rvalid),
        .rready(1'b1), .stamped(stamped), .queue_drops(queue_drops)
    );

    integer           stall = 0;
    integer           seed = 0;
    integer           cycle = 0;
    integer           last_move = 0;
    reg               is_paced = 1'b0;
    reg  [63:0]       pace = 0;
    reg  [63:0]       line_begin = 0;
    wire [63:0]       line_now = {8'd0, cycle, 24'd0};
    wire [PORTS-1:0]  line_busy;
    // Frames asked for and sent, a count for each port.
    reg  [PORTS*32-1:0] asked = 0;
    wire [PORTS*32-1:0] sent;
    wire [PORTS*32-1:0] dropped;
    wire [PORTS*32-1:0] received;

    always @(posedge clk) begin
        cycle <= cycle + 1;
        if (|s_tvalid || |m_tvalid) last_move <= cycle;
        if (cycle - last_move > MOST_SILENT) fail("nothing moves, and the schedule has not ended");
    end

    // All of it in one word a cycle; a bit of it for each side of each port.
    reg [31:0] holds = 0;
    always @(posedge clk) if (stall != 0) begin
        holds <= $random(seed);
        m_tready <= holds[PORTS-1:0];
    end else m_tready <= ~line_busy;

    function [63:0] ones(input [KEEP_BITS-1:0] keep);
        integer bit_number;
        begin
            ones = 64'd0;
            for (bit_number = 0; bit_number < KEEP_BITS; bit_number = bit_number + 1)
                ones = ones + {63'd0, keep[bit_number]};
        end
    endfunction

    task fail(input [8*32-1:0] what);
        begin
            $display("FAIL %0s", what);
            $finish;
        end
    endtask

    genvar g;
    generate
        for (g = 0; g < PORTS; g = g + 1) begin : port
            integer             file;
            integer             log;
            integer             got;
            integer             count;
            reg [7:0]           mark;
            reg                 is_first;
            reg                 is_last;
            reg                 is_dropped;
            reg                 is_taken;
            reg [8*256-1:0]     text;
            // Read apart from what is driven: Verilator 5.006 does not see that $fscanf writes what logic depends on.
            reg [DATA_BITS-1:0] read_data;
            reg [KEEP_BITS-1:0] read_keep;
            reg [127:0]         read_user;
            reg [DATA_BITS-1:0] data;
            reg [KEEP_BITS-1:0] keep;
            reg [127:0]         user;
            reg                 is_valid = 1'b0;
            // The time at which the next frame has come over the line, and that until which the line is taken.
            reg [63:0]          due = 0;
            reg [63:0]          busy_until = 0;
            integer             sent_count = 0;
            integer             dropped_count = 0;
            integer             received_count = 0;

            assign s_tdata[g*DATA_BITS +: DATA_BITS] = data;
            assign s_tkeep[g*KEEP_BITS +: KEEP_BITS] = keep;
            assign s_tuser[g*128 +: 128] = user;
            assign s_tlast[g] = is_last;
            assign s_tvalid[g] = is_valid;
            assign sent[32*g +: 32] = sent_count;
            assign dropped[32*g +: 32] = dropped_count;
            assign received[32*g +: 32] = received_count;

            initial begin
                file = $fopen({"nf_interface_", "0" + g[7:0], "_stim.axi"}, "r");
                log = $fopen({"nf_interface_", "0" + g[7:0], "_log.axi"}, "w");
                @(negedge clk);
                while (1) begin
                    if (sent_count != asked[32*g +: 32]) begin
                        is_first = 1'b1;
                        is_last = 1'b0;
                        is_dropped = 1'b0;
                        while (!is_last) begin
                            got = $fscanf(file, " %h, %h, %h%c", read_data, read_keep, read_user, mark);
                            if (got == 0) begin
                                got = $fscanf(file, "%c", mark);
                                if (mark == "#") got = $fgets(text, file);
                                else got = $fscanf(file, "%d", count);
                                if (mark == "*") repeat (count) @(negedge clk);
                                if (mark == "+") begin
                                    #count;
                                    @(negedge clk);
                                end
                                if (mark == "@") while ($time < count) @(negedge clk);
                            end else if (got != 4) begin
                                fail("a stimulus has ended, or is no beat");
                                is_last = 1'b1;
                            end else begin
                                is_last = mark == ".";
                                if (is_first && is_paced) begin
                                    if (due < line_begin) due = line_begin;
                                    while (line_now < due) @(negedge clk);
                                    #SETTLE is_dropped = !s_tready[g]
                                        || line_now > due + (read_user[15:0] + OVERHEAD) * pace;
                                    if (is_dropped) dropped_count = dropped_count + 1;
                                    due = due + (read_user[15:0] + OVERHEAD) * pace;
                                end
                                is_first = 1'b0;
                                if (!is_dropped) begin
                                    while (stall != 0 && holds[PORTS + g]) @(negedge clk);
                                    data = read_data;
                                    keep = read_keep;
                                    user = read_user;
                                    is_valid = 1'b1;
                                    is_taken = 1'b0;
                                    while (!is_taken) begin
                                        #SETTLE is_taken = s_tready[g];
                                        @(negedge clk);
                                    end
                                    is_valid = 1'b0;
                                end
                            end
                        end
                        sent_count = sent_count + 1;
                    end else @(negedge clk);
                end
            end

            always @(negedge clk) if (m_tvalid[g] && m_tready[g]) begin
                $fwrite(log, "%h, %h, %h%s\n", m_tdata[g*DATA_BITS +: DATA_BITS], m_tkeep[g*KEEP_BITS +: KEEP_BITS],
                    m_tuser[g*128 +: 128], m_tlast[g] ? "." : ",");
                if (busy_until < line_now) busy_until = line_now;
                busy_until = busy_until
                    + (ones(m_tkeep[g*KEEP_BITS +: KEEP_BITS]) + (m_tlast[g] ? OVERHEAD : 64'd0)) * pace;
                if (m_tlast[g]) received_count = received_count + 1;
            end
            assign line_busy[g] = is_paced && g < MACS && busy_until > line_now + AHEAD * pace;
        end
    endgenerate

    integer    i;
    reg [31:0] read_data;

    task write(input [31:0] address, input [31:0] value);
        reg address_taken, data_taken;
        begin
            awaddr = address;
            wdata = value;
            awvalid = 1'b1;
            wvalid = 1'b1;
            while (awvalid || wvalid) begin
                #SETTLE address_taken = awready;
                data_taken = wready;
                @(negedge axil_clk);
                if (address_taken) awvalid = 1'b0;
                if (data_taken) wvalid = 1'b0;
            end
            while (!bvalid) @(negedge axil_clk);
            if (bresp != 2'd0) fail("a write was refused");
            @(negedge axil_clk);
        end
    endtask

    task read(input [31:0] address);
        reg address_taken;
        begin
            araddr = address;
            arvalid = 1'b1;
            while (arvalid) begin
                #SETTLE address_taken = arready;
                @(negedge axil_clk);
                if (address_taken) arvalid = 1'b0;
            end
            while (!rvalid) @(negedge axil_clk);
            read_data = rdata;
            if (rresp != 2'd0) fail("a read was refused");
            @(negedge axil_clk);
        end
    endtask

    function [31:0] total(input [PORTS*32-1:0] counts);
        integer port_number;
        begin
            total = 32'd0;
            for (port_number = 0; port_number < PORTS; port_number = port_number + 1)
                total = total + counts[32*port_number +: 32];
        end
    endfunction

    wire [31:0] all_sent = total(sent);
    wire [31:0] all_dropped = total(dropped);
    wire [31:0] all_received = total(received);

    integer    begun;
    integer    ended;
    reg [31:0] sent_before;
    reg [31:0] dropped_before;
    reg [31:0] received_before;
    reg [31:0] queue_drops_before;

    task send_at_pace(input [31:0] frames, input [31:0] line_pace);
        begin
            while (cycle - last_move < PAUSE) @(negedge clk);
            sent_before = all_sent;
            dropped_before = all_dropped;
            received_before = all_received;
            queue_drops_before = queue_drops;
            pace = {32'd0, line_pace};
            is_paced = 1'b1;
            @(negedge clk);
            begun = cycle;
            line_begin = line_now;
            for (i = 0; i < MACS; i = i + 1) asked[32*i +: 32] = asked[32*i +: 32] + frames;
            while (sent != asked) @(negedge clk);
            // The totals follow the last count.
            #SETTLE while (stamped != all_sent - all_dropped) @(negedge clk);
            ended = cycle;
            while (cycle - last_move < PAUSE) @(negedge clk);
            $display("RATE %0d %0d %0d %0d %0d", ended - begun, all_sent - sent_before,
                all_dropped - dropped_before, all_received - received_before, queue_drops - queue_drops_before);
            is_paced = 1'b0;
            pace = 64'd0;
        end
    endtask

    integer    schedule;
    integer    registers;
    integer    step;
    reg [7:0]  letter;
    reg [31:0] one;
    reg [31:0] two;

    initial begin
        if ($value$plusargs("stall=%d", stall)) seed = stall;
        schedule = $fopen("schedule.txt", "r");
        registers = $fopen("reg_log.axi", "w");
        repeat (10) @(negedge axil_clk);
        resetn = 1'b1;
        repeat (10) @(negedge axil_clk);
        while (!is_ready) @(negedge axil_clk);
        // A circuit clears its tables after a reset; MACs see no frame before their links are up.
        repeat (2000) @(negedge axil_clk);
        step = $fscanf(schedule, " %c %h %h", letter, one, two);
        while (step == 3) begin
            case (letter)
                "W": write(one, two);
                "R": begin
                    read(one);
                    $fwrite(registers, "%h, %h\n", one, read_data);
                end
                "P": begin
                    asked[32*one +: 32] = asked[32*one +: 32] + 1;
                    while (sent != asked) @(negedge clk);
                    @(negedge axil_clk);
                end
                "G": begin
                    send_at_pace(one, two);
                    @(negedge axil_clk);
                end
                "F": begin
                    read(STAMPED);
                    while (read_data != one) read(STAMPED);
                end
                "E": while (received[32*one +: 32] < two && cycle - last_move < MOST_EXPECTED) @(negedge axil_clk);
                "Q": while (cycle - last_move < one) @(negedge axil_clk);
                default: fail("a step is unknown");
            endcase
            step = $fscanf(schedule, " %c %h %h", letter, one, two);
        end
        for (i = 0; i < PORTS; i = i + 1)
            $display("PORT %0d sent %0d dropped %0d received %0d", i, sent[32*i +: 32], dropped[32*i +: 32],
                received[32*i +: 32]);
        $display("DONE %0d", cycle);
        $finish;
    end
endmodule

`default_nettype wire
