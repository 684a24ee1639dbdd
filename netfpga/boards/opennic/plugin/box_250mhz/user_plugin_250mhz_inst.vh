// Instance of the service, in box_250mhz of the shell.
initial begin
  if (USE_PHYS_FUNC != 1 || NUM_QDMA != 1 || NUM_PHYS_FUNC != @INTERFACES@ || NUM_CMAC_PORT != @INTERFACES@)
    $fatal(1, "this project is for -use_phys_func 1 -num_qdma 1 -num_phys_func @INTERFACES@ -num_cmac_port @INTERFACES@");
end

// Bit 0 is this block's; the others belong to no block and are done.
assign mod_rst_done[15:1] = {15{1'b1}};

emu_250mhz #(
  .NUM_INTF (NUM_PHYS_FUNC)
) emu_250mhz_inst (
  .s_axil_awvalid                   (axil_emu_awvalid),
  .s_axil_awaddr                    (axil_emu_awaddr),
  .s_axil_awready                   (axil_emu_awready),
  .s_axil_wvalid                    (axil_emu_wvalid),
  .s_axil_wdata                     (axil_emu_wdata),
  .s_axil_wready                    (axil_emu_wready),
  .s_axil_bvalid                    (axil_emu_bvalid),
  .s_axil_bresp                     (axil_emu_bresp),
  .s_axil_bready                    (axil_emu_bready),
  .s_axil_arvalid                   (axil_emu_arvalid),
  .s_axil_araddr                    (axil_emu_araddr),
  .s_axil_arready                   (axil_emu_arready),
  .s_axil_rvalid                    (axil_emu_rvalid),
  .s_axil_rdata                     (axil_emu_rdata),
  .s_axil_rresp                     (axil_emu_rresp),
  .s_axil_rready                    (axil_emu_rready),

  .s_axis_qdma_h2c_tvalid            (s_axis_qdma_h2c_tvalid),
  .s_axis_qdma_h2c_tdata             (s_axis_qdma_h2c_tdata),
  .s_axis_qdma_h2c_tkeep             (s_axis_qdma_h2c_tkeep),
  .s_axis_qdma_h2c_tlast             (s_axis_qdma_h2c_tlast),
  .s_axis_qdma_h2c_tuser_size        (s_axis_qdma_h2c_tuser_size),
  .s_axis_qdma_h2c_tuser_src         (s_axis_qdma_h2c_tuser_src),
  .s_axis_qdma_h2c_tuser_dst         (s_axis_qdma_h2c_tuser_dst),
  .s_axis_qdma_h2c_tready            (s_axis_qdma_h2c_tready),

  .m_axis_qdma_c2h_tvalid            (m_axis_qdma_c2h_tvalid),
  .m_axis_qdma_c2h_tdata             (m_axis_qdma_c2h_tdata),
  .m_axis_qdma_c2h_tkeep             (m_axis_qdma_c2h_tkeep),
  .m_axis_qdma_c2h_tlast             (m_axis_qdma_c2h_tlast),
  .m_axis_qdma_c2h_tuser_size        (m_axis_qdma_c2h_tuser_size),
  .m_axis_qdma_c2h_tuser_src         (m_axis_qdma_c2h_tuser_src),
  .m_axis_qdma_c2h_tuser_dst         (m_axis_qdma_c2h_tuser_dst),
  .m_axis_qdma_c2h_tready            (m_axis_qdma_c2h_tready),

  .m_axis_adap_tx_250mhz_tvalid      (m_axis_adap_tx_250mhz_tvalid),
  .m_axis_adap_tx_250mhz_tdata       (m_axis_adap_tx_250mhz_tdata),
  .m_axis_adap_tx_250mhz_tkeep       (m_axis_adap_tx_250mhz_tkeep),
  .m_axis_adap_tx_250mhz_tlast       (m_axis_adap_tx_250mhz_tlast),
  .m_axis_adap_tx_250mhz_tuser_size  (m_axis_adap_tx_250mhz_tuser_size),
  .m_axis_adap_tx_250mhz_tuser_src   (m_axis_adap_tx_250mhz_tuser_src),
  .m_axis_adap_tx_250mhz_tuser_dst   (m_axis_adap_tx_250mhz_tuser_dst),
  .m_axis_adap_tx_250mhz_tready      (m_axis_adap_tx_250mhz_tready),

  .s_axis_adap_rx_250mhz_tvalid      (s_axis_adap_rx_250mhz_tvalid),
  .s_axis_adap_rx_250mhz_tdata       (s_axis_adap_rx_250mhz_tdata),
  .s_axis_adap_rx_250mhz_tkeep       (s_axis_adap_rx_250mhz_tkeep),
  .s_axis_adap_rx_250mhz_tlast       (s_axis_adap_rx_250mhz_tlast),
  .s_axis_adap_rx_250mhz_tuser_size  (s_axis_adap_rx_250mhz_tuser_size),
  .s_axis_adap_rx_250mhz_tuser_src   (s_axis_adap_rx_250mhz_tuser_src),
  .s_axis_adap_rx_250mhz_tuser_dst   (s_axis_adap_rx_250mhz_tuser_dst),
  .s_axis_adap_rx_250mhz_tready      (s_axis_adap_rx_250mhz_tready),

  .mod_rstn                         (mod_rstn[0]),
  .mod_rst_done                     (mod_rst_done[0]),
  .axil_aclk                        (axil_aclk),
  .axis_aclk                        (axis_aclk)
);
