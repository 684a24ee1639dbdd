return Emu.Hosting.ServiceCommand.Run<Services.EmuService1>(args);
