using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>IEEE 802.1D-2004 §7.7 to §7.9 and §7.12.6, statement by statement.</summary>
public sealed class LearningSwitchTests
{
    private const ulong Second = 1_000_000_000;

    private static readonly MacAddress s_a = MacAddress.Parse("02:00:00:00:00:0a");
    private static readonly MacAddress s_b = MacAddress.Parse("02:00:00:00:00:0b");
    private static readonly MacAddress s_group = MacAddress.Parse("01:00:5e:00:00:01");

    private static Packet From(MacAddress source, MacAddress destination) =>
        Packet.Ethernet(source, destination).Payload("hello");

    private static PortSet Ports(string text) => PortSet.Parse(text);

    [Fact]
    public void An_unknown_destination_is_flooded_but_never_back_out_of_the_ingress_port()
    {
        var run = new ServiceRun(new LearningSwitch());
        PacketAssert.Sent(run.Receive(1, From(s_a, s_b)), Ports("0,2,3"), From(s_a, s_b));
    }

    [Fact]
    public void A_source_is_learned_and_frames_to_it_leave_by_its_port_only()
    {
        var run = new ServiceRun(new LearningSwitch());
        run.Receive(1, From(s_a, s_b));
        PacketAssert.Sent(run.Receive(3, From(s_b, s_a)), Ports("1"), From(s_b, s_a));
        PacketAssert.Sent(run.Receive(1, From(s_a, s_b)), Ports("3"), From(s_a, s_b));
    }

    [Fact]
    public void A_frame_to_a_station_on_the_ingress_port_is_filtered()
    {
        var run = new ServiceRun(new LearningSwitch());
        run.Receive(2, From(s_a, s_b));
        PacketAssert.Nothing(run.Receive(2, From(s_b, s_a)));
    }

    [Fact]
    public void A_group_source_is_not_learned()
    {
        var service = new LearningSwitch();
        var run = new ServiceRun(service);
        run.Receive(0, From(s_group, s_b));
        Assert.Empty(service.Stations.Entries(0));
        PacketAssert.Sent(run.Receive(1, From(s_a, s_group)), Ports("0,2,3"), From(s_a, s_group));
    }

    [Theory]
    [InlineData("ff:ff:ff:ff:ff:ff")]
    [InlineData("01:00:5e:00:00:01")]
    [InlineData("33:33:00:00:00:01")]
    [InlineData("01:80:c2:00:00:10")]
    public void A_group_destination_is_flooded(string destination)
    {
        var frame = From(s_a, MacAddress.Parse(destination));
        PacketAssert.Sent(new ServiceRun(new LearningSwitch()).Receive(0, frame), Ports("1,2,3"), frame);
    }

    [Fact]
    public void A_reserved_destination_is_not_relayed_but_its_source_is_learned()
    {
        var service = new LearningSwitch();
        var run = new ServiceRun(service);
        for (var last = 0; last < 16; last++)
            PacketAssert.Nothing(run.Receive(1, From(s_a, MacAddress.Parse($"01:80:c2:00:00:0{last:x}"))));
        Assert.Equal(16UL, service.Reserved.Value);
        PacketAssert.Sent(run.Receive(0, From(s_b, s_a)), Ports("1"), From(s_b, s_a));
    }

    [Fact]
    public void A_station_that_moves_is_found_at_its_new_port_at_once()
    {
        var run = new ServiceRun(new LearningSwitch());
        run.Receive(1, From(s_a, s_b));
        run.Receive(2, From(s_a, s_b));
        PacketAssert.Sent(run.Receive(0, From(s_b, s_a)), Ports("2"), From(s_b, s_a));
    }

    [Theory]
    [InlineData(10)]
    [InlineData(300)]
    [InlineData(1_000_000)]
    public void A_silent_station_is_forgotten_after_the_ageing_time(int ageing)
    {
        var run = new ServiceRun(new LearningSwitch(ageingSeconds: ageing));
        run.Receive(1, From(s_a, s_b), 0);
        PacketAssert.Sent(run.Receive(0, From(s_b, s_a), (ulong)ageing * Second - 1), Ports("1"), From(s_b, s_a));
        PacketAssert.Sent(run.Receive(0, From(s_b, s_a), (ulong)ageing * Second), Ports("1,2,3"), From(s_b, s_a));
    }

    [Fact]
    public void A_static_entry_is_not_overwritten_by_learning_and_does_not_age()
    {
        var run = new ServiceRun(new LearningSwitch(@static: [new StaticEntry(s_a, Ports("3"))]));
        run.Receive(1, From(s_a, s_b), 0);
        PacketAssert.Sent(run.Receive(0, From(s_b, s_a), 2_000_000 * Second), Ports("3"), From(s_b, s_a));
    }

    [Fact]
    public void A_static_entry_can_name_several_ports_or_none_and_a_group()
    {
        var run = new ServiceRun(
            new LearningSwitch(@static: [new StaticEntry(s_group, Ports("0,2")), new StaticEntry(s_b, PortSet.None)]));
        PacketAssert.Sent(run.Receive(0, From(s_a, s_group)), Ports("2"), From(s_a, s_group));
        PacketAssert.Nothing(run.Receive(0, From(s_a, s_b)));
    }

    [Fact]
    public void A_frame_to_its_own_source_is_filtered()
    {
        // Learned first, so that the station is found at the ingress port.
        PacketAssert.Nothing(new ServiceRun(new LearningSwitch()).Receive(0, From(s_a, s_a)));
    }

    [Fact]
    public void As_many_stations_as_the_table_holds_are_told_apart()
    {
        var run = new ServiceRun(new LearningSwitch());
        for (var i = 0; i < 256; i++) run.Receive(i % 4, From(new MacAddress(0x0200_0000_0000 + (ulong)i), s_b));
        for (var i = 0; i < 256; i++)
        {
            // a group is not learned, so the table stays as it is
            var frame = From(s_group, new MacAddress(0x0200_0000_0000 + (ulong)i));
            PacketAssert.Sent(run.Receive((i + 1) % 4, frame), PortSet.Of(new PortId(i % 4)), frame);
        }
    }

    [Theory]
    [InlineData(9)]
    [InlineData(1_000_001)]
    public void An_ageing_time_outside_the_standard_is_refused(int seconds) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new LearningSwitch(ageingSeconds: seconds));

    [Fact]
    public void More_static_entries_than_a_set_holds_are_refused()
    {
        var entries = Enumerable.Range(0, 5)
            .Select(i => new StaticEntry(new MacAddress((ulong)i), PortSet.None)).ToArray();
        Assert.Throws<ArgumentException>(() => new LearningSwitch(capacity: 4, @static: entries));
    }
}
