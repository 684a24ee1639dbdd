using Emu.Direction.Directing;
using Emu.Direction.Packets;
using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>The controller inside a service, packet by packet.</summary>
public sealed class ControllerTests
{
    private const ulong Start = 1_700_000_000_000_000_000;
    private static readonly uint s_frames = DirectedVariable.HashOf("Frames[]");
    private static readonly uint s_mark = DirectedVariable.HashOf("Mark");

    private readonly DirectedCounter _service = new();
    private readonly ServiceRun _run;
    private readonly DirectorSession _director = Director(7);
    private ulong _time = Start, _fresh;

    public ControllerTests() => _run = new ServiceRun(_service);

    [Fact]
    public void A_session_reads_what_the_service_did()
    {
        Begin();
        Send(new byte[60]);
        Send(new byte[60]);
        var reply = Ask(_director.Read(s_frames, 0));
        Assert.Equal((DirectionStatus.Done, (UInt128)2, 32), (reply.Status, reply.Value, reply.Width));
        Assert.Equal((8u, true, VariableKind.Number), (reply.Elements, reply.IsWritable, reply.Shown));
        Assert.Equal((UInt128)0, Ask(_director.Read(s_frames, 1)).Value);
    }

    [Fact]
    public void What_is_written_is_there_for_the_next_frame()
    {
        Begin();
        Assert.Equal(DirectionStatus.Done, Ask(_director.Write(s_mark, 0, 0x1234)).Status);
        Assert.Equal([0x12, 0x34], Assert.Single(Send(new byte[60]))[12..14]);
    }

    [Fact]
    public void A_write_that_comes_again_is_answered_and_not_done()
    {
        Begin();
        var write = _director.Write(s_frames, 0, 100);
        var first = Ask(write);
        Send(new byte[60]);
        Assert.Equal(first, Ask(write));
        Assert.Equal((UInt128)101, Ask(_director.Read(s_frames, 0)).Value);
        Assert.Equal(DirectionStatus.OldSequence, Ask(write).Status);
        Assert.Equal((UInt128)101, Ask(_director.Read(s_frames, 0)).Value);
    }

    [Fact]
    public void Requests_that_cannot_be_done_have_their_status()
    {
        Begin();
        Assert.Equal(DirectionStatus.UnknownName, Ask(_director.Read(5, 0)).Status);
        Assert.Equal(DirectionStatus.IndexOutOfRange, Ask(_director.Read(s_frames, 8)).Status);
        Assert.Equal(DirectionStatus.IndexOutOfRange, Ask(_director.Write(s_mark, 1, 0)).Status);
        Assert.Equal(DirectionStatus.TooWide, Ask(_director.Write(s_mark, 0, 0x1_0000)).Status);
        Assert.Equal(
            DirectionStatus.NotWritable,
            Ask(_director.Write(DirectedVariable.HashOf("A.name.of.more.than.one.part"), 0, 0)).Status);
        Assert.Equal(DirectionStatus.UnknownName, Ask(_director.Describe(3, 0)).Status);
        Assert.Equal(DirectionStatus.IndexOutOfRange, Ask(_director.Describe(1, 2)).Status);
        Assert.Equal(7ul, _service.Controller.Refused.Value);
    }

    [Theory]
    [InlineData(0, 2, DirectionStatus.UnknownVersion)]
    [InlineData(1, 77, DirectionStatus.UnknownKind)]
    [InlineData(5, 60, DirectionStatus.BadLength)]
    public void A_packet_of_another_form_has_its_status(int at, byte value, DirectionStatus status)
    {
        Begin();
        var request = _director.Read(s_mark, 0);
        request[14 + at] = value;
        Sign(request, _fresh);
        Assert.Equal(status, Ask(request).Status);
    }

    [Fact]
    public void Names_are_described_in_parts()
    {
        Begin();
        var name = string.Concat(Enumerable.Range(0, 3).Select(part => Ask(_director.Describe(2, (uint)part)))
            .Select(reply => DirectedVariable.TextOf(reply.Value)));
        Assert.Equal("A.name.of.more.than.one.part", name);
    }

    [Fact]
    public void A_packet_with_any_bit_wrong_is_counted_and_changes_nothing()
    {
        Begin();
        var request = _director.Write(s_frames, 0, 99);
        for (var bit = 14 * 8; bit < request.Length * 8; bit++)
        {
            byte[] wrong = [.. request];
            wrong[bit / 8] ^= (byte)(1 << bit % 8);
            Assert.Empty(Send(wrong));
            Assert.Empty(Send(request[..(14 + bit / 8 % 64)]));
        }
        Assert.Equal(2ul * 64 * 8, _service.Controller.Unauthenticated.Value);
        Assert.Equal((UInt128)0, Ask(_director.Read(s_frames, 0)).Value);
    }

    [Fact]
    public void Packets_of_an_earlier_session_or_start_are_refused()
    {
        var begin = _director.Begin(Start);
        _director.Open(Ask(begin).Number);
        var write = _director.Write(s_mark, 0, 1);
        Ask(write);

        var later = Director(8);
        later.Open(Single(later, Send(later.Begin(Start + 1))).Number);
        Assert.Empty(Send(write));
        Assert.Equal(DirectionStatus.OldSession, Ask(begin).Status);

        var restarted = new ServiceRun(new DirectedCounter());
        Assert.NotEmpty(restarted.Receive(0, begin, _time + Controller.Spacing));
        Assert.Empty(restarted.Receive(0, write, _time + 2 * Controller.Spacing));
    }

    [Fact]
    public void A_director_that_knows_the_service_can_tell_the_fresh_number()
    {
        var begin = _director.Begin(Start);
        Assert.True(DirectionPacket.TryParse(begin.AsSpan(14), out var packet));
        var fresh = packet.FreshBy(DirectedCounter.Key, DirectedCounter.BootCount, Start + Controller.Spacing);
        Assert.Equal(fresh, Ask(begin).Number);
    }

    [Fact]
    public void A_begin_that_comes_again_finds_the_same_session()
    {
        var begin = _director.Begin(Start);
        Assert.Equal(Ask(begin), Ask(begin));
    }

    [Fact]
    public void Packets_that_come_too_soon_are_counted_and_dropped()
    {
        Begin();
        Ask(_director.Status());
        Assert.Empty(_run.Receive(0, _director.Status(), _time + Controller.Spacing - 1));
        Assert.Equal(1ul, _service.Controller.Limited.Value);
        Assert.Equal(DirectionStatus.Done, Ask(_director.Status()).Status);
    }

    [Fact]
    public void Frames_to_another_address_or_of_another_type_are_the_services_own()
    {
        var request = _director.Begin(Start);
        request[5] ^= 1;
        Assert.Equal([0xAA, 0x55], Assert.Single(Send(request))[12..14]);
    }

    private static DirectorSession Director(uint number) =>
        new(DirectedCounter.Key, DirectedCounter.Address, new MacAddress(0x0200_0000_0001), number);

    private static void Sign(byte[] frame, ulong fresh)
    {
        Assert.True(DirectionPacket.TryParse(frame.AsSpan(14), out var packet));
        packet.Tag = packet.TagBy(DirectedCounter.Key, fresh);
    }

    private static DirectionReply Single(DirectorSession director, IEnumerable<byte[]> sent) =>
        director.Parse(Assert.Single(sent)) ?? throw new InvalidOperationException("no reply, or a wrong one");

    private void Begin() => _director.Open(_fresh = Ask(_director.Begin(Start)).Number);

    private DirectionReply Ask(byte[] request) => Single(_director, Send(request));

    private List<byte[]> Send(byte[] bytes) =>
        [.. _run.Receive(0, bytes, _time += Controller.Spacing).Select(sent => sent.Bytes)];
}
