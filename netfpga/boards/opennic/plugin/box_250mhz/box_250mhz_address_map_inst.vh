// The bus from the shell to the registers of the service.
wire axil_emu_awvalid;
wire [31:0] axil_emu_awaddr;
wire axil_emu_awready;
wire axil_emu_wvalid;
wire [31:0] axil_emu_wdata;
wire axil_emu_wready;
wire axil_emu_bvalid;
wire [1:0] axil_emu_bresp;
wire axil_emu_bready;
wire axil_emu_arvalid;
wire [31:0] axil_emu_araddr;
wire axil_emu_arready;
wire axil_emu_rvalid;
wire [31:0] axil_emu_rdata;
wire [1:0] axil_emu_rresp;
wire axil_emu_rready;

box_250mhz_address_map address_map_inst (
  .s_axil_awvalid  (s_axil_awvalid),
  .s_axil_awaddr   (s_axil_awaddr),
  .s_axil_awready  (s_axil_awready),
  .s_axil_wvalid   (s_axil_wvalid),
  .s_axil_wdata    (s_axil_wdata),
  .s_axil_wready   (s_axil_wready),
  .s_axil_bvalid   (s_axil_bvalid),
  .s_axil_bresp    (s_axil_bresp),
  .s_axil_bready   (s_axil_bready),
  .s_axil_arvalid  (s_axil_arvalid),
  .s_axil_araddr   (s_axil_araddr),
  .s_axil_arready  (s_axil_arready),
  .s_axil_rvalid   (s_axil_rvalid),
  .s_axil_rdata    (s_axil_rdata),
  .s_axil_rresp    (s_axil_rresp),
  .s_axil_rready   (s_axil_rready),
  .m_axil_awvalid  (axil_emu_awvalid),
  .m_axil_awaddr   (axil_emu_awaddr),
  .m_axil_awready  (axil_emu_awready),
  .m_axil_wvalid   (axil_emu_wvalid),
  .m_axil_wdata    (axil_emu_wdata),
  .m_axil_wready   (axil_emu_wready),
  .m_axil_bvalid   (axil_emu_bvalid),
  .m_axil_bresp    (axil_emu_bresp),
  .m_axil_bready   (axil_emu_bready),
  .m_axil_arvalid  (axil_emu_arvalid),
  .m_axil_araddr   (axil_emu_araddr),
  .m_axil_arready  (axil_emu_arready),
  .m_axil_rvalid   (axil_emu_rvalid),
  .m_axil_rdata    (axil_emu_rdata),
  .m_axil_rresp    (axil_emu_rresp),
  .m_axil_rready   (axil_emu_rready)
);
