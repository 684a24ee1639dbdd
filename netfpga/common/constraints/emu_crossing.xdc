# Between the clock of the registers and that of the stream only flops of two or more stages and words that stand still
# cross. Each has to arrive within a cycle of the clock it goes to: @PERIOD@ ns into the stream's, @REGISTER_PERIOD@ ns
# into the registers'.
set_max_delay -datapath_only @PERIOD@ \
    -from [get_cells -hierarchical -filter {NAME =~ *crossing/request_reg}] \
    -to [get_cells -hierarchical -filter {NAME =~ *crossing/request_seen_reg[0]}]
set_max_delay -datapath_only @REGISTER_PERIOD@ \
    -from [get_cells -hierarchical -filter {NAME =~ *crossing/acknowledge_reg}] \
    -to [get_cells -hierarchical -filter {NAME =~ *crossing/acknowledge_seen_reg[0]}]
set_max_delay -datapath_only @PERIOD@ \
    -from [get_cells -hierarchical -filter {NAME =~ *crossing/address_reg[*] || NAME =~ *crossing/data_reg[*] || NAME =~ *crossing/strobe_reg[*] || NAME =~ *crossing/is_write_reg}] \
    -to [get_cells -hierarchical -filter {NAME =~ *crossing/m_address_reg[*] || NAME =~ *crossing/m_data_reg[*] || NAME =~ *crossing/m_strobe_reg[*] || NAME =~ *crossing/writes_reg || NAME =~ *crossing/is_busy_reg || NAME =~ *crossing/data_due_reg}]
set_max_delay -datapath_only @REGISTER_PERIOD@ \
    -from [get_cells -hierarchical -filter {NAME =~ *crossing/answer_reg[*] || NAME =~ *crossing/response_reg[*]}] \
    -to [get_cells -hierarchical -filter {NAME =~ *crossing/kept_answer_reg[*] || NAME =~ *crossing/kept_response_reg[*]}]
