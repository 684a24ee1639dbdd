# Says what the service's module takes in a routed design, and the least slack of the whole design:
#
#   vivado -mode batch -source emu_resources.tcl -tclargs CHECKPOINT
#
# A line for each figure begins with "emu:". RAM in LUTs is no LUT here, as in the compiler's estimate.

open_checkpoint [lindex $argv 0]
set module [get_cells -hierarchical -filter {REF_NAME == @CORE@ || ORIG_REF_NAME == @CORE@}]
if {[llength $module] != 1} { error "the design has [llength $module] modules @CORE@" }
foreach {kind cells} {lut LUT* ff FD* dsp DSP* block_ram RAMB*} {
    puts "emu: $kind [llength [get_cells -hierarchical -filter "NAME =~ $module/* && REF_NAME =~ $cells"]]"
}
puts "emu: slack [get_property SLACK [get_timing_paths -delay_type max -max_paths 1]]"
