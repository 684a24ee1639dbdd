# Packages the service as an IP core of NetFPGA's library, by: vivado -mode batch -source emu_output_port_lookup.tcl
set design emu_output_port_lookup
set project_folder ./synth
set emu_folder [file normalize [file join [file dirname [info script]] ../..]]

create_project -name $design -force -dir $project_folder -part $::env(DEVICE) -ip
set_property source_mgmt_mode All [current_project]
set_property top $design [current_fileset]

foreach emu_source {@SOURCES@} {
    # The path of frames is the project's, around this core.
    if {$emu_source ne "hdl/nf_datapath.v"} { read_verilog [file join $emu_folder $emu_source] }
}
read_xdc [file join $emu_folder constraints/emu_crossing.xdc]
update_compile_order -fileset sources_1
update_compile_order -fileset sim_1
ipx::package_project -import_files

set core [ipx::current_core]
set_property name $design $core
set_property library NetFPGA $core
set_property vendor NetFPGA $core
set_property vendor_display_name NetFPGA $core
set_property version 1.00 $core
set_property display_name $design $core
set_property description {@SERVICE@} $core
set_property taxonomy {{/NetFPGA/Generic}} $core
set_property supported_families {@FAMILIES@} $core

foreach {parameter value format} {
    C_S_AXI_DATA_WIDTH 32 long
    C_S_AXI_ADDR_WIDTH 32 long
    C_M_AXIS_DATA_WIDTH @DATA_BITS@ long
    C_S_AXIS_DATA_WIDTH @DATA_BITS@ long
    C_M_AXIS_TUSER_WIDTH 128 long
    C_S_AXIS_TUSER_WIDTH 128 long
    SRC_PORT_POS 16 long
    DST_PORT_POS 24 long
    C_BASEADDR 0x00000000 bitstring
} {
    ipx::add_user_parameter $parameter $core
    set user_parameter [ipx::get_user_parameters $parameter -of_objects $core]
    set_property value_resolve_type user $user_parameter
    set_property display_name $parameter $user_parameter
    set_property value $value $user_parameter
    set_property value_format $format $user_parameter
}

ipx::add_bus_parameter FREQ_HZ [ipx::get_bus_interfaces m_axis -of_objects $core]
ipx::add_bus_parameter FREQ_HZ [ipx::get_bus_interfaces s_axis -of_objects $core]
ipx::infer_user_parameters $core
ipx::check_integrity $core
ipx::save_core $core
close_project
file delete -force $project_folder
