# The reset of the box crosses to the stream's clock, and back, through two flops each.
set_false_path -to [get_cells -hierarchical -filter {NAME =~ *emu_250mhz_inst/reset/b_seen_reg[0]}]
set_false_path -to [get_cells -hierarchical -filter {NAME =~ *emu_250mhz_inst/reset/a_seen_reg[0]}]
