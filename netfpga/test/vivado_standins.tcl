# Stands in for Vivado: each of its commands that a project uses writes itself down, checks what can be checked without
# Vivado, and gives an object back. A command that is not here is an error, as is an option that the command has not.
#
#   tclsh vivado_standins.tcl SCRIPT [variable value …]
#
# The lines on standard output are the calls: the command, a tab, its arguments.

namespace eval ipx {}

proc record {command arguments} { puts "$command\t$arguments" }

proc refuse {message} {
    puts stderr $message
    exit 1
}

# Splits options, some with a value, from the rest.
proc parse {command arguments flags valued} {
    set rest {}
    for {set i 0} {$i < [llength $arguments]} {incr i} {
        set word [lindex $arguments $i]
        if {$word in $flags} continue
        if {$word in $valued} { incr i; if {$i >= [llength $arguments]} { refuse "$command: $word has no value" }; continue }
        if {[regexp {^-[a-z]} $word]} { refuse "$command: no option $word" }
        lappend rest $word
    }
    return $rest
}

# A command that reads files: they have to be there.
proc reader {command flags valued} {
    proc $command {args} [string map [list COMMAND $command FLAGS $flags VALUED $valued] {
        record COMMAND $args
        foreach file [parse COMMAND $args {FLAGS} {VALUED}] {
            if {![file exists $file]} { refuse "COMMAND: $file is not there, from [pwd]" }
        }
    }]
}

# A command that gives an object: its name and what it was asked for.
proc giver {command flags valued} {
    proc $command {args} [string map [list COMMAND $command FLAGS $flags VALUED $valued] {
        record COMMAND $args
        return "COMMAND:[parse COMMAND $args {FLAGS} {VALUED}]"
    }]
}

reader read_verilog {-quiet -sv} {-library}
reader read_xdc {-quiet -unmanaged} {}
reader add_files {-norecurse -quiet} {-fileset}

foreach command {current_project current_fileset current_design} { giver $command {-quiet} {} }
giver get_cells {-quiet -hierarchical} {-filter -of_objects}
giver get_clocks {-quiet} {-of_objects}
giver get_timing_paths {} {-delay_type -max_paths}
foreach command {get_ips get_files get_runs get_filesets get_drc_checks get_pblocks} { giver $command {-quiet} {} }
foreach command {ipx::current_core ipx::infer_user_parameters ipx::check_integrity ipx::save_core update_ip_catalog
    close_project wait_on_run generate_target reset_target open_checkpoint} { giver $command {-quiet} {} }
giver set_param {} {}
giver create_project {-force -ip} {-name -dir -part}
giver create_fileset {-constrset -quiet} {}
giver update_compile_order {} {-fileset}
giver create_ip {} {-name -vendor -library -module_name -version}
giver create_run {} {-flow -parent_run -strategy}
giver launch_runs {} {-jobs -to_step}
giver write_bitstream {-force} {}
giver write_debug_probes {-force} {-file}
giver set_max_delay {-datapath_only} {-from -to}
giver set_false_path {} {-from -to}
# The shell's script of its block design asks these, and takes it that the design is there.
foreach command {get_projects current_bd_design get_bd_cells} { giver $command {-quiet} {} }
giver ipx::package_project {-import_files} {-root_dir -vendor -library}
giver ipx::add_user_parameter {} {}
giver ipx::get_user_parameters {} {-of_objects}
giver ipx::get_bus_interfaces {} {-of_objects}
giver ipx::add_bus_parameter {} {}
giver ipx::get_file_groups {} {-of_objects}
giver ipx::add_subcore {} {}

# A property has a name, a value and an object; or -dict, pairs, and an object.
proc set_property {args} {
    record set_property $args
    if {[lindex $args 0] eq "-dict"} {
        if {[llength $args] != 3 || [llength [lindex $args 1]] % 2 != 0} { refuse "set_property: no pairs and an object: $args" }
    } elseif {[llength $args] != 3} { refuse "set_property: no name, value and object: $args" }
    set object [lindex $args end]
    if {[string trim $object] eq "" || ![regexp {:} $object]} { refuse "set_property: '$object' is no object" }
}
proc get_property {args} { record get_property $args; return {} }

# The version that scripts ask for, by a variable of the command line.
set vivado_version 0
proc version {args} { record version $args; parse version $args {-short} {}; return $::vivado_version }

# What a shell of the machine would do is not done.
proc exec {args} { record exec $args; return 0 }

rename exit really_exit
proc exit {{code 0}} { really_exit $code }

foreach {name value} [lrange $argv 1 end] { set $name $value }
set script [lindex $argv 0]
set argv {}
if {[catch { source $script } message]} {
    puts stderr "$script: $message"
    exit 1
}
