# The windows of the registers in the shell's crossbar: 4 KiB each.
set M00_BASEADDR 0x00010000
set M00_HIGHADDR 0x00010FFF
set M00_SIZEADDR 0x1000
set M01_BASEADDR 0x00020000
set M01_HIGHADDR 0x00020FFF
set M01_SIZEADDR 0x1000
set M02_BASEADDR 0x00030000
set M02_HIGHADDR 0x00030FFF
set M02_SIZEADDR 0x1000

foreach {module window} {INPUT_ARBITER M00 OUTPUT_PORT_LOOKUP M01 OUTPUT_QUEUES M02} {
    foreach part {BASEADDR HIGHADDR SIZEADDR} { set ${module}_$part [set ${window}_$part] }
}
