# The project: the shell's own reference switch, with the service in the place of its output port lookup. Its script is
# read from the clone and run with the changes below; each of them must be found, or the clone is another release.
set emu_folder [file normalize [file join [file dirname [info script]] ../..]]
set shell_script [file join $::env(SUME_FOLDER) projects/reference_switch/hw/tcl/reference_switch.tcl]
set core emu_output_port_lookup_v1_0_0

# The scripts of the shell find each other by its own project's name, and write a header into its folder: here the copy,
# whose hw this is.
set project_name $::env(NF_PROJECT_NAME)
set ::env(NF_PROJECT_NAME) reference_switch
set ::env(NF_DESIGN_DIR) [file normalize ..]
file mkdir ../sw/embedded/src

set channel [open $shell_script r]
set script [read $channel]
close $channel

# What is there, and what is put in its place. The library of contributions has a core of the same name already.
set changes [list \
    {set design $::env(NF_PROJECT_NAME)} "set design $project_name" \
    {file copy ${public_repo_dir}/ ${repo_dir}} \
        "file copy \${public_repo_dir}/ \${repo_dir}
file delete -force \${repo_dir}/contrib/cores/$core
file copy $emu_folder/lib/$core \${repo_dir}/contrib/cores/" \
    {"./hdl/nf_datapath.v"} "$emu_folder/hdl/nf_datapath.v" \
    { output_port_lookup_ip} { emu_output_port_lookup_ip} \
    {switch_output_port_lookup} {emu_output_port_lookup} \
]
foreach {there instead} $changes {
    if {[string first $there $script] < 0} {
        puts stderr "emu_project.tcl: '$there' is not in $shell_script; the README of this project says which release it is for"
        exit 1
    }
    set script [string map [list $there $instead] $script]
}
eval $script
