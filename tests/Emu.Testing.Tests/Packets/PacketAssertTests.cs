namespace Emu.Testing.Tests;

public class PacketAssertTests
{
    [Fact]
    public void Equal_frames_pass() => PacketAssert.Equal([1, 2, 3], [1, 2, 3]);

    [Fact]
    public void Frames_that_differ_are_shown_side_by_side_with_the_differences_marked()
    {
        var expected = Packet.Ethernet(new MacAddress(1), new MacAddress(2), type: 0x88B5).Payload(1, 2, 3);
        var actual = Packet.Ethernet(new MacAddress(1), new MacAddress(4), type: 0x88B5).Payload(1, 9);

        var failure = Assert.Throws<TestFailedException>(() => PacketAssert.Equal(expected, actual));

        var rows = failure.Message.Split('\n');
        Assert.Equal("the frames differ, first at byte 5", rows[0]);
        Assert.Contains(
            rows,
            row => row.StartsWith("* ", StringComparison.Ordinal)
                && row.Contains("00:00:00:00:00:02", StringComparison.Ordinal)
                && row.Contains("00:00:00:00:00:04", StringComparison.Ordinal));
        Assert.Contains(rows, row => row.StartsWith("  ", StringComparison.Ordinal)
            && row.Contains("00:00:00:00:00:01", StringComparison.Ordinal));
    }

    [Fact]
    public void A_field_that_only_one_frame_has_stands_alone()
    {
        FieldRow[] rows =
        [
            .. FieldRow.Align([("a", "1"), ("vlan", "5"), ("b", "2")], [("a", "1"), ("b", "3"), ("c", "4")]),
        ];

        Assert.Equal([new("a", "1", "1"), new("vlan", "5", null), new("b", "2", "3"), new("c", null, "4")], rows);
    }

    [Fact]
    public void A_wrong_number_of_frames_is_shown_with_all_of_them()
    {
        SentFrame[] sent = [new(PortSet.First(1), [0xAA], 5), new(PortSet.First(2), [0xBB], 6)];

        var message = Assert.Throws<TestFailedException>(() => PacketAssert.Nothing(sent)).Message;
        Assert.StartsWith("expected no frame, but 2 left:\n1. by port 0 at 5 ns:\n", message, StringComparison.Ordinal);
        Assert.Contains("2. by port 0,1 at 6 ns:\n", message, StringComparison.Ordinal);
        Assert.Equal("expected 1 frame, by port 0, but none left",
            Assert.Throws<TestFailedException>(() => PacketAssert.Sent([], PortSet.First(1), [])).Message);
        Assert.StartsWith("expected a frame by port 0, but it left by port 0,1 at 6 ns:",
            Assert.Throws<TestFailedException>(() => PacketAssert.Sent([sent[1]], PortSet.First(1), [0xBB])).Message);
        PacketAssert.Sent([sent[0]], PortSet.First(1), [0xAA]);
    }
}
