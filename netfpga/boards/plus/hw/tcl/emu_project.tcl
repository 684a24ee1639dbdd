# The project: the shell's own reference switch, with the service in the place of its output port lookup. Its script is
# read from the clone and run with the changes below; each of them must be found, or the clone is another commit.
set emu_folder [file normalize [file join [file dirname [info script]] ../..]]
set shell_script [file join $::env(NFPLUS_FOLDER) hw/projects/reference_switch/hw/tcl/reference_switch.tcl]

set channel [open $shell_script r]
set script [read $channel]
close $channel

# What is there, and what is put in its place.
set changes [list \
    {set datapath_width_bit    1024} {set datapath_width_bit @DATA_BITS@} \
    {set datapath_freq_mhz     340} {set datapath_freq_mhz @CLOCK_MHZ@} \
    {set_property CONFIG.C_CAM_LUT_DEPTH_BITS ${opl_cam_depth_bits} [get_ips switch_output_port_lookup_ip]} {} \
    {file copy ${public_repo_dir}/ ${repo_dir}} \
        "file copy \${public_repo_dir}/ \${repo_dir}\nfile copy -force $emu_folder/lib/emu_output_port_lookup_v1_0_0 \${repo_dir}/std/" \
    {"./hdl/nf_datapath.v"} "$emu_folder/hdl/nf_datapath.v" \
    {switch_output_port_lookup} {emu_output_port_lookup} \
]
foreach {there instead} $changes {
    if {[string first $there $script] < 0} {
        puts stderr "emu_project.tcl: '$there' is not in $shell_script; check out @COMMIT@ of @SHELL@"
        exit 1
    }
    set script [string map [list $there $instead] $script]
}
eval $script
