# The shell sources this file in this folder, with its own design project open.
set emu_folder [file normalize [file join [pwd] ..]]
foreach emu_source {@SOURCES@} {
    read_verilog -quiet [file join $emu_folder $emu_source]
}
read_xdc -quiet [file join $emu_folder constraints/emu_crossing.xdc]
read_xdc -quiet [file join $emu_folder constraints/emu_reset.xdc]
