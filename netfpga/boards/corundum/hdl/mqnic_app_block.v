`timescale 1ns / 1ps
`default_nettype none

// @SERVICE@ as the application block of Corundum, at its synchronous tap.
//
// Ports of the service: the MACs, then the host's side of each, as many. A frame from the line has no length, and bit 0 of
// its tuser says that it is bad: emu_frame_length counts the bytes and leaves bad ones out.
//
// Each frame of the host has a tag for which its driver waits. Whatever the service does with the frame, its tag is
// completed here when its end has come in; frames to a MAC all have the tag 0, and what the MAC completes is taken and
// left. So the time of a completion is that at which the frame came to the service.
//
// Other taps go through; DMA, memories and statistics are not used.
/* The shell sets all of these, and not all are needed here. */
/* verilator lint_off UNUSEDPARAM */
module mqnic_app_block #(
    parameter IF_COUNT = @INTERFACES@,
    parameter PORTS_PER_IF = 1,
    parameter SCHED_PER_IF = PORTS_PER_IF,
    parameter PORT_COUNT = IF_COUNT*PORTS_PER_IF,
    parameter CLK_PERIOD_NS_NUM = 4,
    parameter CLK_PERIOD_NS_DENOM = 1,
    parameter PTP_CLK_PERIOD_NS_NUM = 4,
    parameter PTP_CLK_PERIOD_NS_DENOM = 1,
    parameter PTP_TS_WIDTH = 96,
    parameter PTP_PORT_CDC_PIPELINE = 0,
    parameter PTP_PEROUT_ENABLE = 0,
    parameter PTP_PEROUT_COUNT = 1,
    parameter PTP_TS_ENABLE = 1,
    parameter TX_TAG_WIDTH = 16,
    parameter MAX_TX_SIZE = 9214,
    parameter MAX_RX_SIZE = 9214,
    parameter DDR_CH = 1,
    parameter DDR_ENABLE = 0,
    parameter DDR_GROUP_SIZE = 1,
    parameter AXI_DDR_DATA_WIDTH = 256,
    parameter AXI_DDR_ADDR_WIDTH = 32,
    parameter AXI_DDR_STRB_WIDTH = (AXI_DDR_DATA_WIDTH/8),
    parameter AXI_DDR_ID_WIDTH = 8,
    parameter AXI_DDR_AWUSER_ENABLE = 0,
    parameter AXI_DDR_AWUSER_WIDTH = 1,
    parameter AXI_DDR_WUSER_ENABLE = 0,
    parameter AXI_DDR_WUSER_WIDTH = 1,
    parameter AXI_DDR_BUSER_ENABLE = 0,
    parameter AXI_DDR_BUSER_WIDTH = 1,
    parameter AXI_DDR_ARUSER_ENABLE = 0,
    parameter AXI_DDR_ARUSER_WIDTH = 1,
    parameter AXI_DDR_RUSER_ENABLE = 0,
    parameter AXI_DDR_RUSER_WIDTH = 1,
    parameter AXI_DDR_MAX_BURST_LEN = 256,
    parameter AXI_DDR_NARROW_BURST = 0,
    parameter AXI_DDR_FIXED_BURST = 0,
    parameter AXI_DDR_WRAP_BURST = 0,
    parameter HBM_CH = 1,
    parameter HBM_ENABLE = 0,
    parameter HBM_GROUP_SIZE = 1,
    parameter AXI_HBM_DATA_WIDTH = 256,
    parameter AXI_HBM_ADDR_WIDTH = 32,
    parameter AXI_HBM_STRB_WIDTH = (AXI_HBM_DATA_WIDTH/8),
    parameter AXI_HBM_ID_WIDTH = 8,
    parameter AXI_HBM_AWUSER_ENABLE = 0,
    parameter AXI_HBM_AWUSER_WIDTH = 1,
    parameter AXI_HBM_WUSER_ENABLE = 0,
    parameter AXI_HBM_WUSER_WIDTH = 1,
    parameter AXI_HBM_BUSER_ENABLE = 0,
    parameter AXI_HBM_BUSER_WIDTH = 1,
    parameter AXI_HBM_ARUSER_ENABLE = 0,
    parameter AXI_HBM_ARUSER_WIDTH = 1,
    parameter AXI_HBM_RUSER_ENABLE = 0,
    parameter AXI_HBM_RUSER_WIDTH = 1,
    parameter AXI_HBM_MAX_BURST_LEN = 256,
    parameter AXI_HBM_NARROW_BURST = 0,
    parameter AXI_HBM_FIXED_BURST = 0,
    parameter AXI_HBM_WRAP_BURST = 0,
    parameter APP_ID = 32'h12340001,
    parameter APP_CTRL_ENABLE = 1,
    parameter APP_DMA_ENABLE = 1,
    parameter APP_AXIS_DIRECT_ENABLE = 1,
    parameter APP_AXIS_SYNC_ENABLE = 1,
    parameter APP_AXIS_IF_ENABLE = 1,
    parameter APP_STAT_ENABLE = 1,
    parameter APP_GPIO_IN_WIDTH = 32,
    parameter APP_GPIO_OUT_WIDTH = 32,
    parameter DMA_ADDR_WIDTH = 64,
    parameter DMA_IMM_ENABLE = 0,
    parameter DMA_IMM_WIDTH = 32,
    parameter DMA_LEN_WIDTH = 16,
    parameter DMA_TAG_WIDTH = 16,
    parameter RAM_SEL_WIDTH = 4,
    parameter RAM_ADDR_WIDTH = 16,
    parameter RAM_SEG_COUNT = 2,
    parameter RAM_SEG_DATA_WIDTH = 256*2/RAM_SEG_COUNT,
    parameter RAM_SEG_BE_WIDTH = RAM_SEG_DATA_WIDTH/8,
    parameter RAM_SEG_ADDR_WIDTH = RAM_ADDR_WIDTH-$clog2(RAM_SEG_COUNT*RAM_SEG_BE_WIDTH),
    parameter RAM_PIPELINE = 2,
    parameter AXIL_APP_CTRL_DATA_WIDTH = 32,
    parameter AXIL_APP_CTRL_ADDR_WIDTH = 16,
    parameter AXIL_APP_CTRL_STRB_WIDTH = (AXIL_APP_CTRL_DATA_WIDTH/8),
    parameter AXIL_CTRL_DATA_WIDTH = 32,
    parameter AXIL_CTRL_ADDR_WIDTH = 16,
    parameter AXIL_CTRL_STRB_WIDTH = (AXIL_CTRL_DATA_WIDTH/8),
    parameter AXIS_DATA_WIDTH = 512,
    parameter AXIS_KEEP_WIDTH = AXIS_DATA_WIDTH/8,
    parameter AXIS_TX_USER_WIDTH = TX_TAG_WIDTH + 1,
    parameter AXIS_RX_USER_WIDTH = (PTP_TS_ENABLE ? PTP_TS_WIDTH : 0) + 1,
    parameter AXIS_RX_USE_READY = 0,
    parameter AXIS_SYNC_DATA_WIDTH = AXIS_DATA_WIDTH,
    parameter AXIS_SYNC_KEEP_WIDTH = AXIS_SYNC_DATA_WIDTH/8,
    parameter AXIS_SYNC_TX_USER_WIDTH = AXIS_TX_USER_WIDTH,
    parameter AXIS_SYNC_RX_USER_WIDTH = AXIS_RX_USER_WIDTH,
    parameter AXIS_IF_DATA_WIDTH = AXIS_SYNC_DATA_WIDTH*2**$clog2(PORTS_PER_IF),
    parameter AXIS_IF_KEEP_WIDTH = AXIS_IF_DATA_WIDTH/8,
    parameter AXIS_IF_TX_ID_WIDTH = 12,
    parameter AXIS_IF_RX_ID_WIDTH = PORTS_PER_IF > 1 ? $clog2(PORTS_PER_IF) : 1,
    parameter AXIS_IF_TX_DEST_WIDTH = $clog2(PORTS_PER_IF)+4,
    parameter AXIS_IF_RX_DEST_WIDTH = 8,
    parameter AXIS_IF_TX_USER_WIDTH = AXIS_SYNC_TX_USER_WIDTH,
    parameter AXIS_IF_RX_USER_WIDTH = AXIS_SYNC_RX_USER_WIDTH,
    parameter STAT_ENABLE = 1,
    parameter STAT_INC_WIDTH = 24,
    parameter STAT_ID_WIDTH = 12
) (
    input  wire clk,
    input  wire rst,
    input  wire [AXIL_APP_CTRL_ADDR_WIDTH-1:0] s_axil_app_ctrl_awaddr,
    input  wire [2:0] s_axil_app_ctrl_awprot,
    input  wire s_axil_app_ctrl_awvalid,
    output wire s_axil_app_ctrl_awready,
    input  wire [AXIL_APP_CTRL_DATA_WIDTH-1:0] s_axil_app_ctrl_wdata,
    input  wire [AXIL_APP_CTRL_STRB_WIDTH-1:0] s_axil_app_ctrl_wstrb,
    input  wire s_axil_app_ctrl_wvalid,
    output wire s_axil_app_ctrl_wready,
    output wire [1:0] s_axil_app_ctrl_bresp,
    output wire s_axil_app_ctrl_bvalid,
    input  wire s_axil_app_ctrl_bready,
    input  wire [AXIL_APP_CTRL_ADDR_WIDTH-1:0] s_axil_app_ctrl_araddr,
    input  wire [2:0] s_axil_app_ctrl_arprot,
    input  wire s_axil_app_ctrl_arvalid,
    output wire s_axil_app_ctrl_arready,
    output wire [AXIL_APP_CTRL_DATA_WIDTH-1:0] s_axil_app_ctrl_rdata,
    output wire [1:0] s_axil_app_ctrl_rresp,
    output wire s_axil_app_ctrl_rvalid,
    input  wire s_axil_app_ctrl_rready,
    output wire [AXIL_CTRL_ADDR_WIDTH-1:0] m_axil_ctrl_awaddr,
    output wire [2:0] m_axil_ctrl_awprot,
    output wire m_axil_ctrl_awvalid,
    input  wire m_axil_ctrl_awready,
    output wire [AXIL_CTRL_DATA_WIDTH-1:0] m_axil_ctrl_wdata,
    output wire [AXIL_CTRL_STRB_WIDTH-1:0] m_axil_ctrl_wstrb,
    output wire m_axil_ctrl_wvalid,
    input  wire m_axil_ctrl_wready,
    input  wire [1:0] m_axil_ctrl_bresp,
    input  wire m_axil_ctrl_bvalid,
    output wire m_axil_ctrl_bready,
    output wire [AXIL_CTRL_ADDR_WIDTH-1:0] m_axil_ctrl_araddr,
    output wire [2:0] m_axil_ctrl_arprot,
    output wire m_axil_ctrl_arvalid,
    input  wire m_axil_ctrl_arready,
    input  wire [AXIL_CTRL_DATA_WIDTH-1:0] m_axil_ctrl_rdata,
    input  wire [1:0] m_axil_ctrl_rresp,
    input  wire m_axil_ctrl_rvalid,
    output wire m_axil_ctrl_rready,
    output wire [DMA_ADDR_WIDTH-1:0] m_axis_ctrl_dma_read_desc_dma_addr,
    output wire [RAM_SEL_WIDTH-1:0] m_axis_ctrl_dma_read_desc_ram_sel,
    output wire [RAM_ADDR_WIDTH-1:0] m_axis_ctrl_dma_read_desc_ram_addr,
    output wire [DMA_LEN_WIDTH-1:0] m_axis_ctrl_dma_read_desc_len,
    output wire [DMA_TAG_WIDTH-1:0] m_axis_ctrl_dma_read_desc_tag,
    output wire m_axis_ctrl_dma_read_desc_valid,
    input  wire m_axis_ctrl_dma_read_desc_ready,
    input  wire [DMA_TAG_WIDTH-1:0] s_axis_ctrl_dma_read_desc_status_tag,
    input  wire [3:0] s_axis_ctrl_dma_read_desc_status_error,
    input  wire s_axis_ctrl_dma_read_desc_status_valid,
    output wire [DMA_ADDR_WIDTH-1:0] m_axis_ctrl_dma_write_desc_dma_addr,
    output wire [RAM_SEL_WIDTH-1:0] m_axis_ctrl_dma_write_desc_ram_sel,
    output wire [RAM_ADDR_WIDTH-1:0] m_axis_ctrl_dma_write_desc_ram_addr,
    output wire [DMA_IMM_WIDTH-1:0] m_axis_ctrl_dma_write_desc_imm,
    output wire m_axis_ctrl_dma_write_desc_imm_en,
    output wire [DMA_LEN_WIDTH-1:0] m_axis_ctrl_dma_write_desc_len,
    output wire [DMA_TAG_WIDTH-1:0] m_axis_ctrl_dma_write_desc_tag,
    output wire m_axis_ctrl_dma_write_desc_valid,
    input  wire m_axis_ctrl_dma_write_desc_ready,
    input  wire [DMA_TAG_WIDTH-1:0] s_axis_ctrl_dma_write_desc_status_tag,
    input  wire [3:0] s_axis_ctrl_dma_write_desc_status_error,
    input  wire s_axis_ctrl_dma_write_desc_status_valid,
    output wire [DMA_ADDR_WIDTH-1:0] m_axis_data_dma_read_desc_dma_addr,
    output wire [RAM_SEL_WIDTH-1:0] m_axis_data_dma_read_desc_ram_sel,
    output wire [RAM_ADDR_WIDTH-1:0] m_axis_data_dma_read_desc_ram_addr,
    output wire [DMA_LEN_WIDTH-1:0] m_axis_data_dma_read_desc_len,
    output wire [DMA_TAG_WIDTH-1:0] m_axis_data_dma_read_desc_tag,
    output wire m_axis_data_dma_read_desc_valid,
    input  wire m_axis_data_dma_read_desc_ready,
    input  wire [DMA_TAG_WIDTH-1:0] s_axis_data_dma_read_desc_status_tag,
    input  wire [3:0] s_axis_data_dma_read_desc_status_error,
    input  wire s_axis_data_dma_read_desc_status_valid,
    output wire [DMA_ADDR_WIDTH-1:0] m_axis_data_dma_write_desc_dma_addr,
    output wire [RAM_SEL_WIDTH-1:0] m_axis_data_dma_write_desc_ram_sel,
    output wire [RAM_ADDR_WIDTH-1:0] m_axis_data_dma_write_desc_ram_addr,
    output wire [DMA_IMM_WIDTH-1:0] m_axis_data_dma_write_desc_imm,
    output wire m_axis_data_dma_write_desc_imm_en,
    output wire [DMA_LEN_WIDTH-1:0] m_axis_data_dma_write_desc_len,
    output wire [DMA_TAG_WIDTH-1:0] m_axis_data_dma_write_desc_tag,
    output wire m_axis_data_dma_write_desc_valid,
    input  wire m_axis_data_dma_write_desc_ready,
    input  wire [DMA_TAG_WIDTH-1:0] s_axis_data_dma_write_desc_status_tag,
    input  wire [3:0] s_axis_data_dma_write_desc_status_error,
    input  wire s_axis_data_dma_write_desc_status_valid,
    input  wire [RAM_SEG_COUNT*RAM_SEL_WIDTH-1:0] ctrl_dma_ram_wr_cmd_sel,
    input  wire [RAM_SEG_COUNT*RAM_SEG_BE_WIDTH-1:0] ctrl_dma_ram_wr_cmd_be,
    input  wire [RAM_SEG_COUNT*RAM_SEG_ADDR_WIDTH-1:0] ctrl_dma_ram_wr_cmd_addr,
    input  wire [RAM_SEG_COUNT*RAM_SEG_DATA_WIDTH-1:0] ctrl_dma_ram_wr_cmd_data,
    input  wire [RAM_SEG_COUNT-1:0] ctrl_dma_ram_wr_cmd_valid,
    output wire [RAM_SEG_COUNT-1:0] ctrl_dma_ram_wr_cmd_ready,
    output wire [RAM_SEG_COUNT-1:0] ctrl_dma_ram_wr_done,
    input  wire [RAM_SEG_COUNT*RAM_SEL_WIDTH-1:0] ctrl_dma_ram_rd_cmd_sel,
    input  wire [RAM_SEG_COUNT*RAM_SEG_ADDR_WIDTH-1:0] ctrl_dma_ram_rd_cmd_addr,
    input  wire [RAM_SEG_COUNT-1:0] ctrl_dma_ram_rd_cmd_valid,
    output wire [RAM_SEG_COUNT-1:0] ctrl_dma_ram_rd_cmd_ready,
    output wire [RAM_SEG_COUNT*RAM_SEG_DATA_WIDTH-1:0] ctrl_dma_ram_rd_resp_data,
    output wire [RAM_SEG_COUNT-1:0] ctrl_dma_ram_rd_resp_valid,
    input  wire [RAM_SEG_COUNT-1:0] ctrl_dma_ram_rd_resp_ready,
    input  wire [RAM_SEG_COUNT*RAM_SEL_WIDTH-1:0] data_dma_ram_wr_cmd_sel,
    input  wire [RAM_SEG_COUNT*RAM_SEG_BE_WIDTH-1:0] data_dma_ram_wr_cmd_be,
    input  wire [RAM_SEG_COUNT*RAM_SEG_ADDR_WIDTH-1:0] data_dma_ram_wr_cmd_addr,
    input  wire [RAM_SEG_COUNT*RAM_SEG_DATA_WIDTH-1:0] data_dma_ram_wr_cmd_data,
    input  wire [RAM_SEG_COUNT-1:0] data_dma_ram_wr_cmd_valid,
    output wire [RAM_SEG_COUNT-1:0] data_dma_ram_wr_cmd_ready,
    output wire [RAM_SEG_COUNT-1:0] data_dma_ram_wr_done,
    input  wire [RAM_SEG_COUNT*RAM_SEL_WIDTH-1:0] data_dma_ram_rd_cmd_sel,
    input  wire [RAM_SEG_COUNT*RAM_SEG_ADDR_WIDTH-1:0] data_dma_ram_rd_cmd_addr,
    input  wire [RAM_SEG_COUNT-1:0] data_dma_ram_rd_cmd_valid,
    output wire [RAM_SEG_COUNT-1:0] data_dma_ram_rd_cmd_ready,
    output wire [RAM_SEG_COUNT*RAM_SEG_DATA_WIDTH-1:0] data_dma_ram_rd_resp_data,
    output wire [RAM_SEG_COUNT-1:0] data_dma_ram_rd_resp_valid,
    input  wire [RAM_SEG_COUNT-1:0] data_dma_ram_rd_resp_ready,
    input  wire ptp_clk,
    input  wire ptp_rst,
    input  wire ptp_sample_clk,
    input  wire ptp_td_sd,
    input  wire ptp_pps,
    input  wire ptp_pps_str,
    input  wire ptp_sync_locked,
    input  wire [PTP_TS_WIDTH-1:0] ptp_sync_ts_rel,
    input  wire ptp_sync_ts_rel_step,
    input  wire [PTP_TS_WIDTH-1:0] ptp_sync_ts_tod,
    input  wire ptp_sync_ts_tod_step,
    input  wire ptp_sync_pps,
    input  wire ptp_sync_pps_str,
    input  wire [PTP_PEROUT_COUNT-1:0] ptp_perout_locked,
    input  wire [PTP_PEROUT_COUNT-1:0] ptp_perout_error,
    input  wire [PTP_PEROUT_COUNT-1:0] ptp_perout_pulse,
    input  wire [PORT_COUNT-1:0] direct_tx_clk,
    input  wire [PORT_COUNT-1:0] direct_tx_rst,
    input  wire [PORT_COUNT*AXIS_DATA_WIDTH-1:0] s_axis_direct_tx_tdata,
    input  wire [PORT_COUNT*AXIS_KEEP_WIDTH-1:0] s_axis_direct_tx_tkeep,
    input  wire [PORT_COUNT-1:0] s_axis_direct_tx_tvalid,
    output wire [PORT_COUNT-1:0] s_axis_direct_tx_tready,
    input  wire [PORT_COUNT-1:0] s_axis_direct_tx_tlast,
    input  wire [PORT_COUNT*AXIS_TX_USER_WIDTH-1:0] s_axis_direct_tx_tuser,
    output wire [PORT_COUNT*AXIS_DATA_WIDTH-1:0] m_axis_direct_tx_tdata,
    output wire [PORT_COUNT*AXIS_KEEP_WIDTH-1:0] m_axis_direct_tx_tkeep,
    output wire [PORT_COUNT-1:0] m_axis_direct_tx_tvalid,
    input  wire [PORT_COUNT-1:0] m_axis_direct_tx_tready,
    output wire [PORT_COUNT-1:0] m_axis_direct_tx_tlast,
    output wire [PORT_COUNT*AXIS_TX_USER_WIDTH-1:0] m_axis_direct_tx_tuser,
    input  wire [PORT_COUNT*PTP_TS_WIDTH-1:0] s_axis_direct_tx_cpl_ts,
    input  wire [PORT_COUNT*TX_TAG_WIDTH-1:0] s_axis_direct_tx_cpl_tag,
    input  wire [PORT_COUNT-1:0] s_axis_direct_tx_cpl_valid,
    output wire [PORT_COUNT-1:0] s_axis_direct_tx_cpl_ready,
    output wire [PORT_COUNT*PTP_TS_WIDTH-1:0] m_axis_direct_tx_cpl_ts,
    output wire [PORT_COUNT*TX_TAG_WIDTH-1:0] m_axis_direct_tx_cpl_tag,
    output wire [PORT_COUNT-1:0] m_axis_direct_tx_cpl_valid,
    input  wire [PORT_COUNT-1:0] m_axis_direct_tx_cpl_ready,
    input  wire [PORT_COUNT-1:0] direct_rx_clk,
    input  wire [PORT_COUNT-1:0] direct_rx_rst,
    input  wire [PORT_COUNT*AXIS_DATA_WIDTH-1:0] s_axis_direct_rx_tdata,
    input  wire [PORT_COUNT*AXIS_KEEP_WIDTH-1:0] s_axis_direct_rx_tkeep,
    input  wire [PORT_COUNT-1:0] s_axis_direct_rx_tvalid,
    output wire [PORT_COUNT-1:0] s_axis_direct_rx_tready,
    input  wire [PORT_COUNT-1:0] s_axis_direct_rx_tlast,
    input  wire [PORT_COUNT*AXIS_RX_USER_WIDTH-1:0] s_axis_direct_rx_tuser,
    output wire [PORT_COUNT*AXIS_DATA_WIDTH-1:0] m_axis_direct_rx_tdata,
    output wire [PORT_COUNT*AXIS_KEEP_WIDTH-1:0] m_axis_direct_rx_tkeep,
    output wire [PORT_COUNT-1:0] m_axis_direct_rx_tvalid,
    input  wire [PORT_COUNT-1:0] m_axis_direct_rx_tready,
    output wire [PORT_COUNT-1:0] m_axis_direct_rx_tlast,
    output wire [PORT_COUNT*AXIS_RX_USER_WIDTH-1:0] m_axis_direct_rx_tuser,
    input  wire [PORT_COUNT*AXIS_SYNC_DATA_WIDTH-1:0] s_axis_sync_tx_tdata,
    input  wire [PORT_COUNT*AXIS_SYNC_KEEP_WIDTH-1:0] s_axis_sync_tx_tkeep,
    input  wire [PORT_COUNT-1:0] s_axis_sync_tx_tvalid,
    output wire [PORT_COUNT-1:0] s_axis_sync_tx_tready,
    input  wire [PORT_COUNT-1:0] s_axis_sync_tx_tlast,
    input  wire [PORT_COUNT*AXIS_SYNC_TX_USER_WIDTH-1:0] s_axis_sync_tx_tuser,
    output wire [PORT_COUNT*AXIS_SYNC_DATA_WIDTH-1:0] m_axis_sync_tx_tdata,
    output wire [PORT_COUNT*AXIS_SYNC_KEEP_WIDTH-1:0] m_axis_sync_tx_tkeep,
    output wire [PORT_COUNT-1:0] m_axis_sync_tx_tvalid,
    input  wire [PORT_COUNT-1:0] m_axis_sync_tx_tready,
    output wire [PORT_COUNT-1:0] m_axis_sync_tx_tlast,
    output wire [PORT_COUNT*AXIS_SYNC_TX_USER_WIDTH-1:0] m_axis_sync_tx_tuser,
    input  wire [PORT_COUNT*PTP_TS_WIDTH-1:0] s_axis_sync_tx_cpl_ts,
    input  wire [PORT_COUNT*TX_TAG_WIDTH-1:0] s_axis_sync_tx_cpl_tag,
    input  wire [PORT_COUNT-1:0] s_axis_sync_tx_cpl_valid,
    output wire [PORT_COUNT-1:0] s_axis_sync_tx_cpl_ready,
    output wire [PORT_COUNT*PTP_TS_WIDTH-1:0] m_axis_sync_tx_cpl_ts,
    output wire [PORT_COUNT*TX_TAG_WIDTH-1:0] m_axis_sync_tx_cpl_tag,
    output wire [PORT_COUNT-1:0] m_axis_sync_tx_cpl_valid,
    input  wire [PORT_COUNT-1:0] m_axis_sync_tx_cpl_ready,
    input  wire [PORT_COUNT*AXIS_SYNC_DATA_WIDTH-1:0] s_axis_sync_rx_tdata,
    input  wire [PORT_COUNT*AXIS_SYNC_KEEP_WIDTH-1:0] s_axis_sync_rx_tkeep,
    input  wire [PORT_COUNT-1:0] s_axis_sync_rx_tvalid,
    output wire [PORT_COUNT-1:0] s_axis_sync_rx_tready,
    input  wire [PORT_COUNT-1:0] s_axis_sync_rx_tlast,
    input  wire [PORT_COUNT*AXIS_SYNC_RX_USER_WIDTH-1:0] s_axis_sync_rx_tuser,
    output wire [PORT_COUNT*AXIS_SYNC_DATA_WIDTH-1:0] m_axis_sync_rx_tdata,
    output wire [PORT_COUNT*AXIS_SYNC_KEEP_WIDTH-1:0] m_axis_sync_rx_tkeep,
    output wire [PORT_COUNT-1:0] m_axis_sync_rx_tvalid,
    input  wire [PORT_COUNT-1:0] m_axis_sync_rx_tready,
    output wire [PORT_COUNT-1:0] m_axis_sync_rx_tlast,
    output wire [PORT_COUNT*AXIS_SYNC_RX_USER_WIDTH-1:0] m_axis_sync_rx_tuser,
    input  wire [IF_COUNT*AXIS_IF_DATA_WIDTH-1:0] s_axis_if_tx_tdata,
    input  wire [IF_COUNT*AXIS_IF_KEEP_WIDTH-1:0] s_axis_if_tx_tkeep,
    input  wire [IF_COUNT-1:0] s_axis_if_tx_tvalid,
    output wire [IF_COUNT-1:0] s_axis_if_tx_tready,
    input  wire [IF_COUNT-1:0] s_axis_if_tx_tlast,
    input  wire [IF_COUNT*AXIS_IF_TX_ID_WIDTH-1:0] s_axis_if_tx_tid,
    input  wire [IF_COUNT*AXIS_IF_TX_DEST_WIDTH-1:0] s_axis_if_tx_tdest,
    input  wire [IF_COUNT*AXIS_IF_TX_USER_WIDTH-1:0] s_axis_if_tx_tuser,
    output wire [IF_COUNT*AXIS_IF_DATA_WIDTH-1:0] m_axis_if_tx_tdata,
    output wire [IF_COUNT*AXIS_IF_KEEP_WIDTH-1:0] m_axis_if_tx_tkeep,
    output wire [IF_COUNT-1:0] m_axis_if_tx_tvalid,
    input  wire [IF_COUNT-1:0] m_axis_if_tx_tready,
    output wire [IF_COUNT-1:0] m_axis_if_tx_tlast,
    output wire [IF_COUNT*AXIS_IF_TX_ID_WIDTH-1:0] m_axis_if_tx_tid,
    output wire [IF_COUNT*AXIS_IF_TX_DEST_WIDTH-1:0] m_axis_if_tx_tdest,
    output wire [IF_COUNT*AXIS_IF_TX_USER_WIDTH-1:0] m_axis_if_tx_tuser,
    input  wire [IF_COUNT*PTP_TS_WIDTH-1:0] s_axis_if_tx_cpl_ts,
    input  wire [IF_COUNT*TX_TAG_WIDTH-1:0] s_axis_if_tx_cpl_tag,
    input  wire [IF_COUNT-1:0] s_axis_if_tx_cpl_valid,
    output wire [IF_COUNT-1:0] s_axis_if_tx_cpl_ready,
    output wire [IF_COUNT*PTP_TS_WIDTH-1:0] m_axis_if_tx_cpl_ts,
    output wire [IF_COUNT*TX_TAG_WIDTH-1:0] m_axis_if_tx_cpl_tag,
    output wire [IF_COUNT-1:0] m_axis_if_tx_cpl_valid,
    input  wire [IF_COUNT-1:0] m_axis_if_tx_cpl_ready,
    input  wire [IF_COUNT*AXIS_IF_DATA_WIDTH-1:0] s_axis_if_rx_tdata,
    input  wire [IF_COUNT*AXIS_IF_KEEP_WIDTH-1:0] s_axis_if_rx_tkeep,
    input  wire [IF_COUNT-1:0] s_axis_if_rx_tvalid,
    output wire [IF_COUNT-1:0] s_axis_if_rx_tready,
    input  wire [IF_COUNT-1:0] s_axis_if_rx_tlast,
    input  wire [IF_COUNT*AXIS_IF_RX_ID_WIDTH-1:0] s_axis_if_rx_tid,
    input  wire [IF_COUNT*AXIS_IF_RX_DEST_WIDTH-1:0] s_axis_if_rx_tdest,
    input  wire [IF_COUNT*AXIS_IF_RX_USER_WIDTH-1:0] s_axis_if_rx_tuser,
    output wire [IF_COUNT*AXIS_IF_DATA_WIDTH-1:0] m_axis_if_rx_tdata,
    output wire [IF_COUNT*AXIS_IF_KEEP_WIDTH-1:0] m_axis_if_rx_tkeep,
    output wire [IF_COUNT-1:0] m_axis_if_rx_tvalid,
    input  wire [IF_COUNT-1:0] m_axis_if_rx_tready,
    output wire [IF_COUNT-1:0] m_axis_if_rx_tlast,
    output wire [IF_COUNT*AXIS_IF_RX_ID_WIDTH-1:0] m_axis_if_rx_tid,
    output wire [IF_COUNT*AXIS_IF_RX_DEST_WIDTH-1:0] m_axis_if_rx_tdest,
    output wire [IF_COUNT*AXIS_IF_RX_USER_WIDTH-1:0] m_axis_if_rx_tuser,
    input  wire [DDR_CH-1:0] ddr_clk,
    input  wire [DDR_CH-1:0] ddr_rst,
    output wire [DDR_CH*AXI_DDR_ID_WIDTH-1:0] m_axi_ddr_awid,
    output wire [DDR_CH*AXI_DDR_ADDR_WIDTH-1:0] m_axi_ddr_awaddr,
    output wire [DDR_CH*8-1:0] m_axi_ddr_awlen,
    output wire [DDR_CH*3-1:0] m_axi_ddr_awsize,
    output wire [DDR_CH*2-1:0] m_axi_ddr_awburst,
    output wire [DDR_CH-1:0] m_axi_ddr_awlock,
    output wire [DDR_CH*4-1:0] m_axi_ddr_awcache,
    output wire [DDR_CH*3-1:0] m_axi_ddr_awprot,
    output wire [DDR_CH*4-1:0] m_axi_ddr_awqos,
    output wire [DDR_CH*AXI_DDR_AWUSER_WIDTH-1:0] m_axi_ddr_awuser,
    output wire [DDR_CH-1:0] m_axi_ddr_awvalid,
    input  wire [DDR_CH-1:0] m_axi_ddr_awready,
    output wire [DDR_CH*AXI_DDR_DATA_WIDTH-1:0] m_axi_ddr_wdata,
    output wire [DDR_CH*AXI_DDR_STRB_WIDTH-1:0] m_axi_ddr_wstrb,
    output wire [DDR_CH-1:0] m_axi_ddr_wlast,
    output wire [DDR_CH*AXI_DDR_WUSER_WIDTH-1:0] m_axi_ddr_wuser,
    output wire [DDR_CH-1:0] m_axi_ddr_wvalid,
    input  wire [DDR_CH-1:0] m_axi_ddr_wready,
    input  wire [DDR_CH*AXI_DDR_ID_WIDTH-1:0] m_axi_ddr_bid,
    input  wire [DDR_CH*2-1:0] m_axi_ddr_bresp,
    input  wire [DDR_CH*AXI_DDR_BUSER_WIDTH-1:0] m_axi_ddr_buser,
    input  wire [DDR_CH-1:0] m_axi_ddr_bvalid,
    output wire [DDR_CH-1:0] m_axi_ddr_bready,
    output wire [DDR_CH*AXI_DDR_ID_WIDTH-1:0] m_axi_ddr_arid,
    output wire [DDR_CH*AXI_DDR_ADDR_WIDTH-1:0] m_axi_ddr_araddr,
    output wire [DDR_CH*8-1:0] m_axi_ddr_arlen,
    output wire [DDR_CH*3-1:0] m_axi_ddr_arsize,
    output wire [DDR_CH*2-1:0] m_axi_ddr_arburst,
    output wire [DDR_CH-1:0] m_axi_ddr_arlock,
    output wire [DDR_CH*4-1:0] m_axi_ddr_arcache,
    output wire [DDR_CH*3-1:0] m_axi_ddr_arprot,
    output wire [DDR_CH*4-1:0] m_axi_ddr_arqos,
    output wire [DDR_CH*AXI_DDR_ARUSER_WIDTH-1:0] m_axi_ddr_aruser,
    output wire [DDR_CH-1:0] m_axi_ddr_arvalid,
    input  wire [DDR_CH-1:0] m_axi_ddr_arready,
    input  wire [DDR_CH*AXI_DDR_ID_WIDTH-1:0] m_axi_ddr_rid,
    input  wire [DDR_CH*AXI_DDR_DATA_WIDTH-1:0] m_axi_ddr_rdata,
    input  wire [DDR_CH*2-1:0] m_axi_ddr_rresp,
    input  wire [DDR_CH-1:0] m_axi_ddr_rlast,
    input  wire [DDR_CH*AXI_DDR_RUSER_WIDTH-1:0] m_axi_ddr_ruser,
    input  wire [DDR_CH-1:0] m_axi_ddr_rvalid,
    output wire [DDR_CH-1:0] m_axi_ddr_rready,
    input  wire [DDR_CH-1:0] ddr_status,
    input  wire [HBM_CH-1:0] hbm_clk,
    input  wire [HBM_CH-1:0] hbm_rst,
    output wire [HBM_CH*AXI_HBM_ID_WIDTH-1:0] m_axi_hbm_awid,
    output wire [HBM_CH*AXI_HBM_ADDR_WIDTH-1:0] m_axi_hbm_awaddr,
    output wire [HBM_CH*8-1:0] m_axi_hbm_awlen,
    output wire [HBM_CH*3-1:0] m_axi_hbm_awsize,
    output wire [HBM_CH*2-1:0] m_axi_hbm_awburst,
    output wire [HBM_CH-1:0] m_axi_hbm_awlock,
    output wire [HBM_CH*4-1:0] m_axi_hbm_awcache,
    output wire [HBM_CH*3-1:0] m_axi_hbm_awprot,
    output wire [HBM_CH*4-1:0] m_axi_hbm_awqos,
    output wire [HBM_CH*AXI_HBM_AWUSER_WIDTH-1:0] m_axi_hbm_awuser,
    output wire [HBM_CH-1:0] m_axi_hbm_awvalid,
    input  wire [HBM_CH-1:0] m_axi_hbm_awready,
    output wire [HBM_CH*AXI_HBM_DATA_WIDTH-1:0] m_axi_hbm_wdata,
    output wire [HBM_CH*AXI_HBM_STRB_WIDTH-1:0] m_axi_hbm_wstrb,
    output wire [HBM_CH-1:0] m_axi_hbm_wlast,
    output wire [HBM_CH*AXI_HBM_WUSER_WIDTH-1:0] m_axi_hbm_wuser,
    output wire [HBM_CH-1:0] m_axi_hbm_wvalid,
    input  wire [HBM_CH-1:0] m_axi_hbm_wready,
    input  wire [HBM_CH*AXI_HBM_ID_WIDTH-1:0] m_axi_hbm_bid,
    input  wire [HBM_CH*2-1:0] m_axi_hbm_bresp,
    input  wire [HBM_CH*AXI_HBM_BUSER_WIDTH-1:0] m_axi_hbm_buser,
    input  wire [HBM_CH-1:0] m_axi_hbm_bvalid,
    output wire [HBM_CH-1:0] m_axi_hbm_bready,
    output wire [HBM_CH*AXI_HBM_ID_WIDTH-1:0] m_axi_hbm_arid,
    output wire [HBM_CH*AXI_HBM_ADDR_WIDTH-1:0] m_axi_hbm_araddr,
    output wire [HBM_CH*8-1:0] m_axi_hbm_arlen,
    output wire [HBM_CH*3-1:0] m_axi_hbm_arsize,
    output wire [HBM_CH*2-1:0] m_axi_hbm_arburst,
    output wire [HBM_CH-1:0] m_axi_hbm_arlock,
    output wire [HBM_CH*4-1:0] m_axi_hbm_arcache,
    output wire [HBM_CH*3-1:0] m_axi_hbm_arprot,
    output wire [HBM_CH*4-1:0] m_axi_hbm_arqos,
    output wire [HBM_CH*AXI_HBM_ARUSER_WIDTH-1:0] m_axi_hbm_aruser,
    output wire [HBM_CH-1:0] m_axi_hbm_arvalid,
    input  wire [HBM_CH-1:0] m_axi_hbm_arready,
    input  wire [HBM_CH*AXI_HBM_ID_WIDTH-1:0] m_axi_hbm_rid,
    input  wire [HBM_CH*AXI_HBM_DATA_WIDTH-1:0] m_axi_hbm_rdata,
    input  wire [HBM_CH*2-1:0] m_axi_hbm_rresp,
    input  wire [HBM_CH-1:0] m_axi_hbm_rlast,
    input  wire [HBM_CH*AXI_HBM_RUSER_WIDTH-1:0] m_axi_hbm_ruser,
    input  wire [HBM_CH-1:0] m_axi_hbm_rvalid,
    output wire [HBM_CH-1:0] m_axi_hbm_rready,
    input  wire [HBM_CH-1:0] hbm_status,
    output wire [STAT_INC_WIDTH-1:0] m_axis_stat_tdata,
    output wire [STAT_ID_WIDTH-1:0] m_axis_stat_tid,
    output wire m_axis_stat_tvalid,
    input  wire m_axis_stat_tready,
    input  wire [APP_GPIO_IN_WIDTH-1:0] gpio_in,
    output wire [APP_GPIO_OUT_WIDTH-1:0] gpio_out,
    input  wire jtag_tdi,
    output wire jtag_tdo,
    input  wire jtag_tms,
    input  wire jtag_tck
);
    /* verilator lint_on UNUSEDPARAM */
    localparam PORTS = 2 * PORT_COUNT;
    localparam TAG_WIDTH = TX_TAG_WIDTH;
    localparam LOG2_COMPLETIONS = 6;
    // The longest frame that the shell can give has room in a queue.
    localparam LOG2_DEPTH = @LOG2_DEPTH@ > $clog2((MAX_RX_SIZE + 63) / 64 + 1) ? @LOG2_DEPTH@
        : $clog2((MAX_RX_SIZE + 63) / 64 + 1);

    wire resetn = !rst;

    generate
        if (PORTS != @PORTS@ || AXIS_SYNC_DATA_WIDTH != @DATA_BITS@ || AXIL_APP_CTRL_DATA_WIDTH != 32
            || PTP_TS_WIDTH != 96 || PTP_TS_ENABLE != 1) begin : refused
            emu_parameters_that_this_project_was_not_made_for refused ();
        end
    endgenerate

    wire [PORTS*512-1:0] in_tdata;
    wire [PORTS*64-1:0]  in_tkeep;
    wire [PORTS*32-1:0]  in_tuser;
    wire [PORTS-1:0]     in_tlast;
    wire [PORTS-1:0]     in_tvalid;
    wire [PORTS-1:0]     in_tready;
    wire [PORTS*512-1:0] out_tdata;
    wire [PORTS*64-1:0]  out_tkeep;
    wire [PORTS*32-1:0]  out_tuser;
    wire [PORTS-1:0]     out_tlast;
    wire [PORTS-1:0]     out_tvalid;
    wire [PORTS-1:0]     out_tready;

    assign m_axis_sync_tx_tdata = out_tdata[0 +: 512*PORT_COUNT];
    assign m_axis_sync_tx_tkeep = out_tkeep[0 +: 64*PORT_COUNT];
    assign m_axis_sync_tx_tvalid = out_tvalid[0 +: PORT_COUNT];
    assign m_axis_sync_tx_tlast = out_tlast[0 +: PORT_COUNT];
    assign m_axis_sync_tx_tuser = {PORT_COUNT*AXIS_SYNC_TX_USER_WIDTH{1'b0}};
    assign m_axis_sync_rx_tdata = out_tdata[512*PORT_COUNT +: 512*PORT_COUNT];
    assign m_axis_sync_rx_tkeep = out_tkeep[64*PORT_COUNT +: 64*PORT_COUNT];
    assign m_axis_sync_rx_tvalid = out_tvalid[PORT_COUNT +: PORT_COUNT];
    assign m_axis_sync_rx_tlast = out_tlast[PORT_COUNT +: PORT_COUNT];
    assign out_tready = {m_axis_sync_rx_tready, m_axis_sync_tx_tready};
    assign s_axis_sync_tx_cpl_ready = {PORT_COUNT{1'b1}};

    genvar g;
    generate
        for (g = 0; g < PORT_COUNT; g = g + 1) begin : port
            wire [15:0] line_length;
            wire [15:0] host_length;
            wire        host_has_room;
            wire        tag_has_room;

            assign in_tuser[32*g +: 32] = {8'd0, 8'd1 << (2 * g), line_length};
            assign in_tuser[32*(PORT_COUNT+g) +: 32] = {8'd0, 8'd1 << (2 * (PORT_COUNT + g)), host_length};
            assign s_axis_sync_tx_tready[g] = host_has_room && tag_has_room;
            assign m_axis_sync_rx_tuser[g*AXIS_SYNC_RX_USER_WIDTH +: AXIS_SYNC_RX_USER_WIDTH] = {ptp_sync_ts_tod, 1'b0};

            emu_frame_length #(.DATA_BITS(512), .LOG2_DEPTH(LOG2_DEPTH)) line (
                .clk(clk),
                .resetn(resetn),
                .s_axis_tdata(s_axis_sync_rx_tdata[512*g +: 512]),
                .s_axis_tkeep(s_axis_sync_rx_tkeep[64*g +: 64]),
                .s_axis_tlast(s_axis_sync_rx_tlast[g]),
                .s_bad(s_axis_sync_rx_tuser[g*AXIS_SYNC_RX_USER_WIDTH]),
                .s_axis_tvalid(s_axis_sync_rx_tvalid[g]),
                .s_axis_tready(s_axis_sync_rx_tready[g]),
                .m_axis_tdata(in_tdata[512*g +: 512]),
                .m_axis_tkeep(in_tkeep[64*g +: 64]),
                .m_length(line_length),
                .m_axis_tlast(in_tlast[g]),
                .m_axis_tvalid(in_tvalid[g]),
                .m_axis_tready(in_tready[g])
            );

            emu_frame_length #(.DATA_BITS(512), .LOG2_DEPTH(LOG2_DEPTH)) host (
                .clk(clk),
                .resetn(resetn),
                .s_axis_tdata(s_axis_sync_tx_tdata[512*g +: 512]),
                .s_axis_tkeep(s_axis_sync_tx_tkeep[64*g +: 64]),
                .s_axis_tlast(s_axis_sync_tx_tlast[g]),
                .s_bad(s_axis_sync_tx_tuser[g*AXIS_SYNC_TX_USER_WIDTH]),
                .s_axis_tvalid(s_axis_sync_tx_tvalid[g] && tag_has_room),
                .s_axis_tready(host_has_room),
                .m_axis_tdata(in_tdata[512*(PORT_COUNT+g) +: 512]),
                .m_axis_tkeep(in_tkeep[64*(PORT_COUNT+g) +: 64]),
                .m_length(host_length),
                .m_axis_tlast(in_tlast[PORT_COUNT+g]),
                .m_axis_tvalid(in_tvalid[PORT_COUNT+g]),
                .m_axis_tready(in_tready[PORT_COUNT+g])
            );

            emu_fifo #(.WIDTH(PTP_TS_WIDTH + TAG_WIDTH), .LOG2_DEPTH(LOG2_COMPLETIONS)) completions (
                .clk(clk),
                .resetn(resetn),
                .s_data({ptp_sync_ts_tod, s_axis_sync_tx_tuser[g*AXIS_SYNC_TX_USER_WIDTH + 1 +: TAG_WIDTH]}),
                .s_valid(s_axis_sync_tx_tvalid[g] && s_axis_sync_tx_tready[g] && s_axis_sync_tx_tlast[g]),
                .s_ready(tag_has_room),
                .m_data({m_axis_sync_tx_cpl_ts[g*PTP_TS_WIDTH +: PTP_TS_WIDTH],
                    m_axis_sync_tx_cpl_tag[g*TX_TAG_WIDTH +: TX_TAG_WIDTH]}),
                .m_valid(m_axis_sync_tx_cpl_valid[g]),
                .m_ready(m_axis_sync_tx_cpl_ready[g])
            );
        end
    endgenerate

    wire [63:0]  ptp_time;
    wire [63:0]  unused_now;
    wire [511:0] merged_tdata;
    wire [63:0]  merged_tkeep;
    wire [31:0]  merged_tuser;
    wire         merged_tlast;
    wire         merged_tvalid;
    wire         merged_tready;
    wire [511:0] queued_tdata;
    wire [63:0]  queued_tkeep;
    wire [127:0] queued_tuser;
    wire         queued_tlast;
    wire         queued_tvalid;
    wire         queued_tready;
    wire [31:0]  frames_dropped;

    emu_ptp_time ptp (
        .clk(clk),
        .resetn(resetn),
        .seconds(ptp_sync_ts_tod[95:48]),
        .nanoseconds(ptp_sync_ts_tod[45:16]),
        .now(ptp_time)
    );

    emu_input_arbiter #(.PORTS(PORTS), .DATA_BITS(512), .USER_BITS(32), .LOG2_DEPTH(LOG2_DEPTH)) arbiter (
        .clk(clk),
        .resetn(resetn),
        .s_axis_tdata(in_tdata),
        .s_axis_tkeep(in_tkeep),
        .s_axis_tuser(in_tuser),
        .s_axis_tlast(in_tlast),
        .s_axis_tvalid(in_tvalid),
        .s_axis_tready(in_tready),
        .m_axis_tdata(merged_tdata),
        .m_axis_tkeep(merged_tkeep),
        .m_axis_tuser(merged_tuser),
        .m_axis_tlast(merged_tlast),
        .m_axis_tvalid(merged_tvalid),
        .m_axis_tready(merged_tready)
    );

    emu_datapath #(.EXTERNAL_TIME(1)) datapath (
        .clk(clk),
        .resetn(resetn),
        .external_time(ptp_time),
        .frames_dropped(frames_dropped),
        .now(unused_now),
        .s_axis_tdata(merged_tdata),
        .s_axis_tkeep(merged_tkeep),
        .s_axis_tuser({96'd0, merged_tuser}),
        .s_axis_tlast(merged_tlast),
        .s_axis_tvalid(merged_tvalid),
        .s_axis_tready(merged_tready),
        .m_axis_tdata(queued_tdata),
        .m_axis_tkeep(queued_tkeep),
        .m_axis_tuser(queued_tuser),
        .m_axis_tlast(queued_tlast),
        .m_axis_tvalid(queued_tvalid),
        .m_axis_tready(queued_tready),
        .axil_clk(clk),
        .axil_resetn(resetn),
        .s_axil_awaddr(s_axil_app_ctrl_awaddr[11:0]),
        .s_axil_awvalid(s_axil_app_ctrl_awvalid),
        .s_axil_awready(s_axil_app_ctrl_awready),
        .s_axil_wdata(s_axil_app_ctrl_wdata),
        .s_axil_wstrb(s_axil_app_ctrl_wstrb),
        .s_axil_wvalid(s_axil_app_ctrl_wvalid),
        .s_axil_wready(s_axil_app_ctrl_wready),
        .s_axil_bresp(s_axil_app_ctrl_bresp),
        .s_axil_bvalid(s_axil_app_ctrl_bvalid),
        .s_axil_bready(s_axil_app_ctrl_bready),
        .s_axil_araddr(s_axil_app_ctrl_araddr[11:0]),
        .s_axil_arvalid(s_axil_app_ctrl_arvalid),
        .s_axil_arready(s_axil_app_ctrl_arready),
        .s_axil_rdata(s_axil_app_ctrl_rdata),
        .s_axil_rresp(s_axil_app_ctrl_rresp),
        .s_axil_rvalid(s_axil_app_ctrl_rvalid),
        .s_axil_rready(s_axil_app_ctrl_rready)
    );

    emu_output_queues #(.PORTS(PORTS), .DATA_BITS(512), .LOG2_DEPTH(LOG2_DEPTH)) queues (
        .clk(clk),
        .resetn(resetn),
        .s_axis_tdata(queued_tdata),
        .s_axis_tkeep(queued_tkeep),
        .s_axis_tuser(queued_tuser[31:0]),
        .s_axis_tlast(queued_tlast),
        .s_axis_tvalid(queued_tvalid),
        .s_axis_tready(queued_tready),
        .m_axis_tdata(out_tdata),
        .m_axis_tkeep(out_tkeep),
        .m_axis_tuser(out_tuser),
        .m_axis_tlast(out_tlast),
        .m_axis_tvalid(out_tvalid),
        .m_axis_tready(out_tready),
        .dropped(frames_dropped)
    );

    // The other taps go through.
    assign s_axis_direct_tx_tready = m_axis_direct_tx_tready;
    assign m_axis_direct_tx_tdata = s_axis_direct_tx_tdata;
    assign m_axis_direct_tx_tkeep = s_axis_direct_tx_tkeep;
    assign m_axis_direct_tx_tvalid = s_axis_direct_tx_tvalid;
    assign m_axis_direct_tx_tlast = s_axis_direct_tx_tlast;
    assign m_axis_direct_tx_tuser = s_axis_direct_tx_tuser;
    assign s_axis_direct_tx_cpl_ready = m_axis_direct_tx_cpl_ready;
    assign m_axis_direct_tx_cpl_ts = s_axis_direct_tx_cpl_ts;
    assign m_axis_direct_tx_cpl_tag = s_axis_direct_tx_cpl_tag;
    assign m_axis_direct_tx_cpl_valid = s_axis_direct_tx_cpl_valid;
    assign s_axis_direct_rx_tready = m_axis_direct_rx_tready;
    assign m_axis_direct_rx_tdata = s_axis_direct_rx_tdata;
    assign m_axis_direct_rx_tkeep = s_axis_direct_rx_tkeep;
    assign m_axis_direct_rx_tvalid = s_axis_direct_rx_tvalid;
    assign m_axis_direct_rx_tlast = s_axis_direct_rx_tlast;
    assign m_axis_direct_rx_tuser = s_axis_direct_rx_tuser;
    assign s_axis_if_tx_tready = m_axis_if_tx_tready;
    assign m_axis_if_tx_tdata = s_axis_if_tx_tdata;
    assign m_axis_if_tx_tkeep = s_axis_if_tx_tkeep;
    assign m_axis_if_tx_tvalid = s_axis_if_tx_tvalid;
    assign m_axis_if_tx_tlast = s_axis_if_tx_tlast;
    assign m_axis_if_tx_tid = s_axis_if_tx_tid;
    assign m_axis_if_tx_tdest = s_axis_if_tx_tdest;
    assign m_axis_if_tx_tuser = s_axis_if_tx_tuser;
    assign s_axis_if_tx_cpl_ready = m_axis_if_tx_cpl_ready;
    assign m_axis_if_tx_cpl_ts = s_axis_if_tx_cpl_ts;
    assign m_axis_if_tx_cpl_tag = s_axis_if_tx_cpl_tag;
    assign m_axis_if_tx_cpl_valid = s_axis_if_tx_cpl_valid;
    assign s_axis_if_rx_tready = m_axis_if_rx_tready;
    assign m_axis_if_rx_tdata = s_axis_if_rx_tdata;
    assign m_axis_if_rx_tkeep = s_axis_if_rx_tkeep;
    assign m_axis_if_rx_tvalid = s_axis_if_rx_tvalid;
    assign m_axis_if_rx_tlast = s_axis_if_rx_tlast;
    assign m_axis_if_rx_tid = s_axis_if_rx_tid;
    assign m_axis_if_rx_tdest = s_axis_if_rx_tdest;
    assign m_axis_if_rx_tuser = s_axis_if_rx_tuser;

    // DMA, memories, statistics and pins are not used; what the shell asks there is answered and left.
    assign m_axil_ctrl_awaddr = 0;
    assign m_axil_ctrl_awprot = 0;
    assign m_axil_ctrl_awvalid = 0;
    assign m_axil_ctrl_wdata = 0;
    assign m_axil_ctrl_wstrb = 0;
    assign m_axil_ctrl_wvalid = 0;
    assign m_axil_ctrl_bready = 1'b1;
    assign m_axil_ctrl_araddr = 0;
    assign m_axil_ctrl_arprot = 0;
    assign m_axil_ctrl_arvalid = 0;
    assign m_axil_ctrl_rready = 1'b1;
    assign m_axis_ctrl_dma_read_desc_dma_addr = 0;
    assign m_axis_ctrl_dma_read_desc_ram_sel = 0;
    assign m_axis_ctrl_dma_read_desc_ram_addr = 0;
    assign m_axis_ctrl_dma_read_desc_len = 0;
    assign m_axis_ctrl_dma_read_desc_tag = 0;
    assign m_axis_ctrl_dma_read_desc_valid = 0;
    assign m_axis_ctrl_dma_write_desc_dma_addr = 0;
    assign m_axis_ctrl_dma_write_desc_ram_sel = 0;
    assign m_axis_ctrl_dma_write_desc_ram_addr = 0;
    assign m_axis_ctrl_dma_write_desc_imm = 0;
    assign m_axis_ctrl_dma_write_desc_imm_en = 0;
    assign m_axis_ctrl_dma_write_desc_len = 0;
    assign m_axis_ctrl_dma_write_desc_tag = 0;
    assign m_axis_ctrl_dma_write_desc_valid = 0;
    assign m_axis_data_dma_read_desc_dma_addr = 0;
    assign m_axis_data_dma_read_desc_ram_sel = 0;
    assign m_axis_data_dma_read_desc_ram_addr = 0;
    assign m_axis_data_dma_read_desc_len = 0;
    assign m_axis_data_dma_read_desc_tag = 0;
    assign m_axis_data_dma_read_desc_valid = 0;
    assign m_axis_data_dma_write_desc_dma_addr = 0;
    assign m_axis_data_dma_write_desc_ram_sel = 0;
    assign m_axis_data_dma_write_desc_ram_addr = 0;
    assign m_axis_data_dma_write_desc_imm = 0;
    assign m_axis_data_dma_write_desc_imm_en = 0;
    assign m_axis_data_dma_write_desc_len = 0;
    assign m_axis_data_dma_write_desc_tag = 0;
    assign m_axis_data_dma_write_desc_valid = 0;
    assign ctrl_dma_ram_wr_cmd_ready = {RAM_SEG_COUNT{1'b1}};
    assign ctrl_dma_ram_wr_done = ctrl_dma_ram_wr_cmd_valid;
    assign ctrl_dma_ram_rd_cmd_ready = ctrl_dma_ram_rd_resp_ready;
    assign ctrl_dma_ram_rd_resp_data = 0;
    assign ctrl_dma_ram_rd_resp_valid = ctrl_dma_ram_rd_cmd_valid;
    assign data_dma_ram_wr_cmd_ready = {RAM_SEG_COUNT{1'b1}};
    assign data_dma_ram_wr_done = data_dma_ram_wr_cmd_valid;
    assign data_dma_ram_rd_cmd_ready = data_dma_ram_rd_resp_ready;
    assign data_dma_ram_rd_resp_data = 0;
    assign data_dma_ram_rd_resp_valid = data_dma_ram_rd_cmd_valid;
    assign m_axi_ddr_awid = 0;
    assign m_axi_ddr_awaddr = 0;
    assign m_axi_ddr_awlen = 0;
    assign m_axi_ddr_awsize = 0;
    assign m_axi_ddr_awburst = 0;
    assign m_axi_ddr_awlock = 0;
    assign m_axi_ddr_awcache = 0;
    assign m_axi_ddr_awprot = 0;
    assign m_axi_ddr_awqos = 0;
    assign m_axi_ddr_awuser = 0;
    assign m_axi_ddr_awvalid = 0;
    assign m_axi_ddr_wdata = 0;
    assign m_axi_ddr_wstrb = 0;
    assign m_axi_ddr_wlast = 0;
    assign m_axi_ddr_wuser = 0;
    assign m_axi_ddr_wvalid = 0;
    assign m_axi_ddr_bready = 0;
    assign m_axi_ddr_arid = 0;
    assign m_axi_ddr_araddr = 0;
    assign m_axi_ddr_arlen = 0;
    assign m_axi_ddr_arsize = 0;
    assign m_axi_ddr_arburst = 0;
    assign m_axi_ddr_arlock = 0;
    assign m_axi_ddr_arcache = 0;
    assign m_axi_ddr_arprot = 0;
    assign m_axi_ddr_arqos = 0;
    assign m_axi_ddr_aruser = 0;
    assign m_axi_ddr_arvalid = 0;
    assign m_axi_ddr_rready = 0;
    assign m_axi_hbm_awid = 0;
    assign m_axi_hbm_awaddr = 0;
    assign m_axi_hbm_awlen = 0;
    assign m_axi_hbm_awsize = 0;
    assign m_axi_hbm_awburst = 0;
    assign m_axi_hbm_awlock = 0;
    assign m_axi_hbm_awcache = 0;
    assign m_axi_hbm_awprot = 0;
    assign m_axi_hbm_awqos = 0;
    assign m_axi_hbm_awuser = 0;
    assign m_axi_hbm_awvalid = 0;
    assign m_axi_hbm_wdata = 0;
    assign m_axi_hbm_wstrb = 0;
    assign m_axi_hbm_wlast = 0;
    assign m_axi_hbm_wuser = 0;
    assign m_axi_hbm_wvalid = 0;
    assign m_axi_hbm_bready = 0;
    assign m_axi_hbm_arid = 0;
    assign m_axi_hbm_araddr = 0;
    assign m_axi_hbm_arlen = 0;
    assign m_axi_hbm_arsize = 0;
    assign m_axi_hbm_arburst = 0;
    assign m_axi_hbm_arlock = 0;
    assign m_axi_hbm_arcache = 0;
    assign m_axi_hbm_arprot = 0;
    assign m_axi_hbm_arqos = 0;
    assign m_axi_hbm_aruser = 0;
    assign m_axi_hbm_arvalid = 0;
    assign m_axi_hbm_rready = 0;
    assign m_axis_stat_tdata = 0;
    assign m_axis_stat_tid = 0;
    assign m_axis_stat_tvalid = 0;
    assign gpio_out = 0;
    assign jtag_tdo = jtag_tdi;

    wire unused_inputs = &{1'b0,
        s_axil_app_ctrl_awprot, s_axil_app_ctrl_arprot, m_axil_ctrl_awready, m_axil_ctrl_wready,
        m_axil_ctrl_bresp, m_axil_ctrl_bvalid, m_axil_ctrl_arready, m_axil_ctrl_rdata,
        m_axil_ctrl_rresp, m_axil_ctrl_rvalid, m_axis_ctrl_dma_read_desc_ready,
        s_axis_ctrl_dma_read_desc_status_tag, s_axis_ctrl_dma_read_desc_status_error,
        s_axis_ctrl_dma_read_desc_status_valid, m_axis_ctrl_dma_write_desc_ready,
        s_axis_ctrl_dma_write_desc_status_tag, s_axis_ctrl_dma_write_desc_status_error,
        s_axis_ctrl_dma_write_desc_status_valid, m_axis_data_dma_read_desc_ready,
        s_axis_data_dma_read_desc_status_tag, s_axis_data_dma_read_desc_status_error,
        s_axis_data_dma_read_desc_status_valid, m_axis_data_dma_write_desc_ready,
        s_axis_data_dma_write_desc_status_tag, s_axis_data_dma_write_desc_status_error,
        s_axis_data_dma_write_desc_status_valid, ctrl_dma_ram_wr_cmd_sel, ctrl_dma_ram_wr_cmd_be,
        ctrl_dma_ram_wr_cmd_addr, ctrl_dma_ram_wr_cmd_data, ctrl_dma_ram_rd_cmd_sel,
        ctrl_dma_ram_rd_cmd_addr, data_dma_ram_wr_cmd_sel, data_dma_ram_wr_cmd_be,
        data_dma_ram_wr_cmd_addr, data_dma_ram_wr_cmd_data, data_dma_ram_rd_cmd_sel,
        data_dma_ram_rd_cmd_addr, ptp_clk, ptp_rst, ptp_sample_clk, ptp_td_sd, ptp_pps, ptp_pps_str,
        ptp_sync_locked, ptp_sync_ts_rel, ptp_sync_ts_rel_step, ptp_sync_ts_tod_step, ptp_sync_pps,
        ptp_sync_pps_str, ptp_perout_locked, ptp_perout_error, ptp_perout_pulse, direct_tx_clk,
        direct_tx_rst, direct_rx_clk, direct_rx_rst, s_axis_sync_tx_cpl_ts, s_axis_sync_tx_cpl_tag,
        s_axis_sync_tx_cpl_valid, ddr_clk, ddr_rst, m_axi_ddr_awready, m_axi_ddr_wready, m_axi_ddr_bid,
        m_axi_ddr_bresp, m_axi_ddr_buser, m_axi_ddr_bvalid, m_axi_ddr_arready, m_axi_ddr_rid,
        m_axi_ddr_rdata, m_axi_ddr_rresp, m_axi_ddr_rlast, m_axi_ddr_ruser, m_axi_ddr_rvalid,
        ddr_status, hbm_clk, hbm_rst, m_axi_hbm_awready, m_axi_hbm_wready, m_axi_hbm_bid,
        m_axi_hbm_bresp, m_axi_hbm_buser, m_axi_hbm_bvalid, m_axi_hbm_arready, m_axi_hbm_rid,
        m_axi_hbm_rdata, m_axi_hbm_rresp, m_axi_hbm_rlast, m_axi_hbm_ruser, m_axi_hbm_rvalid,
        hbm_status, m_axis_stat_tready, gpio_in, jtag_tms, jtag_tck, out_tuser,
        s_axil_app_ctrl_awaddr[AXIL_APP_CTRL_ADDR_WIDTH-1:12],
        s_axil_app_ctrl_araddr[AXIL_APP_CTRL_ADDR_WIDTH-1:12], queued_tuser[127:32],
        s_axis_sync_rx_tuser};
endmodule

`default_nettype wire
