return Emu.Hosting.ServiceCommand.Run<Emu.Services.TcpPing>(args);
